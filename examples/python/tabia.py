"""A client of Tabia's API in one file, with nothing but the standard library.

    from tabia import Tabia

    tabia = Tabia("http://127.0.0.1:8050")
    game = tabia.new_game(black="axiomx")
    game.play("e4")
    print(game.wait()["moves"][-1]["san"])

Run as a program it plays a whole game: random moves against an agent.

    python3 tabia.py http://127.0.0.1:8050 --black 'axiomx-speed(depth=1)' --seed 7
"""

import argparse
import json
import random
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPResponse

# No answer takes this long, and no stream is silent for so long, unless something hangs.
PATIENCE_S = 60.0


class Problem(Exception):
    """What the server has against a request (RFC 9457)."""

    def __init__(self, document: dict):
        super().__init__(f"{document['status']} {document['title']}: {document['detail']}")
        self.document = document


@dataclass
class Event:
    """One Server-Sent Event."""

    name: str
    id: int | None
    data: dict


class Tabia:
    """A server."""

    def __init__(self, address: str, token: str | None = None):
        self.address = address.rstrip("/")
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def open(self, method: str, path: str, body: dict | None = None, **headers: str) -> HTTPResponse:
        data = None if body is None else json.dumps(body).encode()
        kind = {} if body is None else {"Content-Type": "application/json"}
        url = f"{self.address}/api/v1{path}"
        request = urllib.request.Request(url, data, {**self.headers, **kind, **headers}, method=method)
        try:
            return urllib.request.urlopen(request, timeout=PATIENCE_S)
        except urllib.error.HTTPError as error:
            raise Problem(json.load(error)) from None

    def ask(self, method: str, path: str, body: dict | None = None) -> dict:
        with self.open(method, path, body) as response:
            return json.load(response)

    def events(self, path: str, since: int | None = None) -> Iterator[Event]:
        """The events of a stream, until it ends; after `since`, the number of one that is known."""
        resume = {} if since is None else {"Last-Event-ID": str(since)}
        with self.open("GET", path, **resume) as response:
            fields: dict[str, str] = {}
            for line in response:
                key, _, value = line.decode().rstrip("\r\n").partition(":")
                if key:
                    fields[key] = value.removeprefix(" ")
                elif "data" in fields:
                    number = int(fields["id"]) if "id" in fields else None
                    yield Event(fields.get("event", "message"), number, json.loads(fields["data"]))
                    fields = {}

    def new_game(self, **setup) -> "Game":
        """`white`, `black` ("human" or an agent spec), `fen`, `moves`, `clock`, `black_limits`, …"""
        return Game(self, self.ask("POST", "/games", setup)["id"])

    def evaluate(self, fen: str = "startpos", evaluation: str = "axiomx") -> dict:
        return self.ask("GET", f"/analysis/evaluate?{urllib.parse.urlencode({'fen': fen, 'eval': evaluation})}")

    def lines(self, fen: str = "startpos", **query) -> Iterator[Event]:
        return self.events(f"/analysis/lines?{urllib.parse.urlencode({'fen': fen, **query})}")


class Game:
    """A game on a server; whoever knows its id can play it."""

    def __init__(self, tabia: Tabia, id: str):
        self.tabia, self.id = tabia, id

    def state(self) -> dict:
        return self.tabia.ask("GET", f"/games/{self.id}")

    def play(self, move: str, ply: int | None = None) -> dict:
        return self.tabia.ask("POST", f"/games/{self.id}/moves", {"move": move, "ply": ply})

    def undo(self) -> dict:
        return self.tabia.ask("POST", f"/games/{self.id}/undo")

    def events(self, since: int | None = None) -> Iterator[Event]:
        return self.tabia.events(f"/games/{self.id}/events", since)

    def wait(self) -> dict:
        """The game when it waits for a person, or is over."""
        state = self.state()
        while state["awaits"] == "agent":
            next(event for event in self.events(state["version"]) if event.id is not None)
            state = self.state()
        return state


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("address")
    parser.add_argument("--black", default="axiomx", help="the agent to play against")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--token")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    game = Tabia(arguments.address, arguments.token).new_game(black=arguments.black)
    state = game.wait()
    while state["awaits"] == "human":
        source = chance.choice(sorted(state["legal"]))
        move = source + chance.choice(state["legal"][source])
        try:
            game.play(move, state["ply"])
        except Problem:
            game.play(f"{move}q", state["ply"])  # a pawn that reaches the end
        state = game.wait()
    print(" ".join(move["san"] for move in state["moves"]))
    print(state["outcome"]["words"])


if __name__ == "__main__":
    main()

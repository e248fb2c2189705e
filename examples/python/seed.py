"""Seed 003's protocol: four paths, over HTTP or over a WebSocket (which needs the package `websockets`).

    python3 seed.py http://127.0.0.1:8050          plays the fool's mate over HTTP
    python3 seed.py ws://127.0.0.1:8050/ws/legacy  the same over a WebSocket

A good reply begins with the path it answers; an error is the empty string.
"""

import contextlib
import sys
import urllib.request

FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]


class OverHttp:
    def __init__(self, address: str):
        self.address = address.rstrip("/")

    def ask(self, path: str) -> str:
        method = "POST" if path.startswith("/post/") else "GET"
        with urllib.request.urlopen(urllib.request.Request(self.address + path, method=method)) as response:
            return response.read().decode()

    def close(self):
        pass


class OverWebSocket:
    def __init__(self, address: str):
        from websockets.sync.client import connect

        self.open = contextlib.ExitStack()
        self.socket = self.open.enter_context(connect(address))

    def ask(self, path: str) -> str:
        self.socket.send(path)
        return self.socket.recv()

    def close(self):
        self.open.close()


class Board:
    """The one game of a server, as the seed's own programs see it."""

    def __init__(self, address: str):
        self.client = OverWebSocket(address) if address.startswith("ws") else OverHttp(address)

    def value(self, prefix: str, argument: str = "") -> str:
        reply = self.client.ask(prefix + argument)
        if not reply.startswith(prefix):
            raise ValueError(f"the server refuses {prefix}{argument}")
        return reply.removeprefix(prefix)

    def board(self) -> str:
        return self.value("/get/board/")

    def status(self) -> str:
        return self.value("/get/status/")

    def moves(self, square: str) -> list[str]:
        squares = self.value("/get/possible_moves/", square)
        return [squares[at : at + 2] for at in range(0, len(squares), 2)]

    def move(self, text: str):
        self.value("/post/move/", text)

    def new(self):
        self.value("/post/new/")

    def close(self):
        self.client.close()


def main():
    board = Board(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8050")
    board.new()
    for move in FOOLS_MATE:
        print(f"{board.status()}: {move} (of {', '.join(board.moves(move[:2]))})")
        board.move(move)
    print(board.board())
    print(board.status())
    board.close()


if __name__ == "__main__":
    main()

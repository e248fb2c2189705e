"""`tabia quantum serve-grpc` through grpcio, the example that learns from it, and evaluators that the search asks."""

import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from concurrent import futures
from pathlib import Path

import grpc
import peer
from peer import ROOT

from built import tabia_binary

peer.spare_the_proxy()
sys.path.insert(0, str(ROOT / "examples" / "python"))

import quantum_trainer
from quantum_trainer import Tabia, messages, planes_of, read_safetensors, services, write_safetensors

GUARD_S = 300
# Games that take no time, whatever else the machine does.
QUICK = ["simulations=4", "quick_simulations=2", "candidates=2", "ply_limit=16", "most_branches=4"]
TINY = ["generations=1", "games=2", "least_samples=1", "batch=8", "rate_every=0", *QUICK]


def tabia(*arguments: str) -> subprocess.CompletedProcess:
    command = [tabia_binary(), "quantum", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=GUARD_S, check=False)


def settings(assignments: list[str]) -> list[str]:
    return [f"--set={assignment}" for assignment in assignments]


class Server:
    def __init__(self, *arguments: str, listen: str = "127.0.0.1:0"):
        command = [tabia_binary(), "quantum", "serve-grpc", "--addr", listen, "--threads", "2", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        port = re.search(r":(\d+)  \(Ctrl-C", line)[1]
        self.address = f"127.0.0.1:{port}"

    def close(self) -> int:
        """Asks it to end, and gives its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(GUARD_S)

    def kill(self):
        self.process.kill()
        self.process.wait(GUARD_S)
        self.process.stdout.close()


class Description(unittest.TestCase):
    """The messages are declared twice, in the .proto and in Rust: every difference is found."""

    KINDS = {1: "double", 2: "float", 3: "int64", 4: "uint64", 5: "int32", 8: "bool", 9: "string", 11: "message",
             12: "bytes", 13: "uint32", 14: "enumeration"}  # fmt: skip

    def declared(self) -> dict[str, dict[str, tuple[str, int, bool]]]:
        """Each message of the Rust code: its fields with kind, number and whether they repeat."""
        source = (ROOT / "crates/rpc/src/messages.rs").read_text()
        types = {name: body for _, name, body in re.findall(r"pub (struct|enum) (\w+) \{(.*?)\}", source, re.DOTALL)}
        field = re.compile(r'#\[prost\((?P<kind>\w+)(?: = "(?P<of>\w+)")?(?P<rest>[^\]]*)\)\]\s*(?:pub )?(?P<name>\w+)')
        found: dict = {}
        for name, body in types.items():
            fields = found.setdefault(name, {})
            for match in field.finditer(body):
                if match["kind"] == "oneof":
                    for inner in field.finditer(types[match["of"]]):
                        number = int(re.search(r'tag = "(\d+)"', inner["rest"])[1])
                        fields[inner["name"].lower()] = (inner["kind"], number, False)
                else:
                    number = int(re.search(r'tag = "(\d+)"', match["rest"])[1])
                    fields[match["name"]] = (match["kind"], number, "repeated" in match["rest"])
        return found

    def test_rust_and_the_proto_say_the_same(self):
        declared = self.declared()
        described = messages.DESCRIPTOR.message_types_by_name
        for name, message in described.items():
            fields = {
                field.name: (self.KINDS[field.type], field.number, field.is_repeated) for field in message.fields
            }
            self.assertEqual(declared[name], fields, name)
        self.assertEqual(set(declared) - set(described), {"Result", "File"})
        source = (ROOT / "crates/rpc/src/messages.rs").read_text()
        enum = re.search(r"pub enum Result \{(.*?)\}", source, re.DOTALL)[1]
        numbers = {int(number): name for name, number in re.findall(r"(\w+) = (\d+),", enum)}
        words = {value.number: value.name for value in messages.DESCRIPTOR.enum_types_by_name["Result"].values}
        self.assertEqual({n: f"RESULT_{re.sub(r'(?<!^)(?=[A-Z])', '_', w).upper()}" for n, w in numbers.items()}, words)

    def test_every_call_is_served(self):
        calls = set(re.findall(r'path\("(\w+)"\)', (ROOT / "crates/rpc/src/serve.rs").read_text()))
        service = messages.DESCRIPTOR.services_by_name["Quantum"]
        self.assertEqual(calls, {method.name for method in service.methods})
        self.assertEqual(service.full_name, "tabia.quantum.v1.Quantum")
        self.assertTrue(services.QuantumStub)

    def test_the_program_prints_it(self):
        printed = tabia("serve-grpc", "--print-proto").stdout
        self.assertEqual(printed, (ROOT / "crates/rpc/proto/quantum.proto").read_text())


class Calls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        # Two networks of one shape, and one of another.
        cls.first, cls.second = cls.trained("first", "blocks=1", "seed=1"), cls.trained("second", "blocks=1", "seed=2")
        cls.larger = cls.trained("larger", "blocks=2", "seed=1")

    @classmethod
    def trained(cls, name: str, *shape: str) -> Path:
        run = cls.folder / name
        done = tabia("train", "--preset", "tiny", *settings([*TINY, *shape]), "--threads", "2", "--run", str(run))
        assert done.returncode == 0, done.stderr
        return run / "final.safetensors"

    @classmethod
    def probes(cls, weights: Path) -> tuple[list[dict], bytes]:
        """Positions with Tabia's own answers, and the network as ONNX."""
        onnx, probe = cls.folder / "net.onnx", cls.folder / "probe.json"
        done = tabia("export", "--weights", str(weights), "--output", str(onnx), "--probe", str(probe), "--positions", "24")
        assert done.returncode == 0, done.stderr
        return json.loads(probe.read_text()), onnx.read_bytes()

    def start(self, *arguments: str, token: str | None = None, **options) -> tuple[Server, Tabia]:
        server = Server(*arguments, **options)
        self.addCleanup(server.kill)
        client = Tabia(server.address, token)
        self.addCleanup(client.channel.close)
        return server, client

    def assert_refused(self, code: grpc.StatusCode, words: str, call):
        with self.assertRaises(grpc.RpcError) as refused:
            call()
        self.assertEqual(refused.exception.code(), code, refused.exception.details())
        self.assertIn(words, refused.exception.details())

    def assert_says(self, client: Tabia, probes: list[dict]):
        """The server says of positions what the program itself says."""
        answer = client.evaluate([probe["position"] for probe in probes])
        for said, probe in zip(answer.evaluations, probes, strict=True):
            self.assertEqual(list(said.numbers), probe["moves"])
            self.assertEqual(len(said.moves), len(said.numbers))
            self.assertAlmostEqual(said.value, probe["value"], places=5)
            most = max(probe["logits"])
            shares = [math.exp(logit - most) for logit in probe["logits"]]
            for share, policy in zip(shares, said.policy, strict=True):
                self.assertAlmostEqual(policy, share / sum(shares), places=5)
            chances = said.chances
            self.assertAlmostEqual(chances.win + chances.draw + chances.loss, 1.0, places=5)
            self.assertAlmostEqual(chances.win - chances.loss, said.value, places=5)

    def test_games_are_streamed_and_are_those_of_selfplay(self):
        _, client = self.start("--weights", str(self.first))
        games = sorted(client.games(6, 7, QUICK, planes=True), key=lambda game: game.number)
        self.assertEqual([game.number for game in games], list(range(6)))
        learned_from = 0
        for game in games:
            self.assertEqual(game.weights_version, 1)
            self.assertIn(game.result, (messages.RESULT_WHITE_WINS, messages.RESULT_BLACK_WINS, messages.RESULT_DRAW))
            for sample in game.samples:
                self.assertEqual(list(planes_of(sample)), list(sample.planes))
                self.assertAlmostEqual(sample.win + sample.draw + sample.loss, 1.0, places=5)
                self.assertEqual(len(sample.moves), len(sample.shares))
                if sample.moves:
                    learned_from += 1
                    self.assertAlmostEqual(sum(sample.shares), 1.0, places=3)
                    self.assertLess(max(sample.moves), quantum_trainer.MOVES)
        self.assertGreater(learned_from, 0)
        again = sorted(client.games(6, 7, QUICK, planes=True), key=lambda game: game.number)
        self.assertEqual(games, again)
        done = tabia("selfplay", "--weights", str(self.first), "--games", "6", *settings([*QUICK, "seed=7"]),
                     "--output", str(self.folder / "games"), "--json")  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        own = json.loads(done.stdout)
        self.assertEqual(own["positions"], sum(len(game.samples) for game in games))
        self.assertAlmostEqual(own["plies"], sum(game.plies for game in games) / 6, places=6)
        points = {messages.RESULT_WHITE_WINS: 1.0, messages.RESULT_DRAW: 0.5, messages.RESULT_BLACK_WINS: 0.0}
        self.assertAlmostEqual(own["white_score"], sum(points[game.result] for game in games) / 6, places=6)

    def test_a_call_that_is_cancelled_makes_room_for_the_next(self):
        _, client = self.start("--weights", str(self.first))
        endless = client.games(1_000_000, 1, QUICK)
        # The first is there long before the last could be.
        self.assertTrue(next(endless).samples)
        endless.cancel()
        self.assertEqual(len(list(client.games(2, 1, QUICK))), 2)

    def test_positions_are_valued_as_the_program_values_them(self):
        _, client = self.start("--weights", str(self.first))
        probes, _ = self.probes(self.first)
        self.assert_says(client, probes)
        self.assertEqual(len(client.evaluate([]).evaluations), 0)

    def test_weights_are_replaced_while_it_runs_and_bad_ones_are_refused(self):
        _, client = self.start("--weights", str(self.first))
        old, _ = self.probes(self.first)
        new, onnx = self.probes(self.second)
        other, other_onnx = self.larger.read_bytes(), self.probes(self.larger)[1]
        good = self.second.read_bytes()
        invalid, shape = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.FAILED_PRECONDITION
        tensor = 'tensor "block1.first.conv.weight" is [16, 16, 3, 3], this network\'s is missing'
        for code, words, file in [
            (invalid, "it ends in its data", {"safetensors": good[: len(good) // 2]}),
            (invalid, "SHA-256", {"safetensors": good[:-1] + bytes([good[-1] ^ 1])}),
            (invalid, "not an ONNX file", {"onnx": onnx[: len(onnx) // 2]}),
            (invalid, "there is no file", {}),
            (shape, tensor, {"safetensors": other}),
            (shape, tensor, {"onnx": other_onnx}),
            (shape, 'tensor "value.out.bias" is [2], this network\'s is [3]', {"safetensors": self.bent(good)}),
        ]:
            with self.subTest(words, kind=list(file)):
                self.assert_refused(code, words, lambda file=file: client.load(**file))
                self.assert_says(client, old)
        self.assertEqual(client.load(safetensors=good).version, 2)
        self.assert_says(client, new)
        self.assertEqual(next(client.games(1, 1, QUICK)).weights_version, 2)
        self.assertEqual(client.load(safetensors=self.first.read_bytes()).version, 3)
        self.assertEqual(client.load(onnx=onnx).version, 4)
        self.assert_says(client, new)
        # What comes back can be handed over again; metadata may be left out.
        tensors, _ = read_safetensors(client.weights())
        self.assertEqual(client.load(safetensors=write_safetensors(tensors, {})).version, 5)
        self.assertIn("2 blocks", client.load(any_shape=True, safetensors=other).network)

    @staticmethod
    def bent(file: bytes) -> bytes:
        """The network with one tensor of another shape."""
        tensors, metadata = read_safetensors(file)
        shape, numbers = tensors["value.out.bias"]
        tensors["value.out.bias"] = ([shape[0] - 1], numbers[:-1])
        return write_safetensors(tensors, metadata)

    def test_bad_input_is_refused_with_what_would_be_right(self):
        _, client = self.start()
        invalid = grpc.StatusCode.INVALID_ARGUMENT
        self.assert_refused(invalid, 'did you mean "simulations"?', lambda: list(client.games(1, 1, ["simulation=3"])))
        self.assert_refused(invalid, "expected 1 to 1000000", lambda: list(client.games(0)))
        self.assert_refused(invalid, "would change the network", lambda: list(client.games(1, 1, ["blocks=9"])))
        self.assert_refused(invalid, "position 2: ", lambda: client.evaluate(["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e4"]))
        self.assert_refused(invalid, "at most 512", lambda: client.evaluate([""] * 513))
        unknown = client.channel.unary_unary("/tabia.quantum.v1.Quantum/Nothing")
        self.assert_refused(grpc.StatusCode.UNIMPLEMENTED, "unknown method", lambda: unknown(b""))
        garbled = client.channel.unary_unary("/tabia.quantum.v1.Quantum/EvaluatePosition")
        with self.assertRaises(grpc.RpcError):
            garbled(b"\xff\xff\xff")
        self.assertEqual(len(list(client.games(1, 1, QUICK))), 1)

    def test_who_others_can_reach_asks_for_a_token(self):
        refused = tabia("serve-grpc", "--listen", "0.0.0.0:0")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--token", refused.stderr)
        server, client = self.start("--token", "open sesame", listen="0.0.0.0:0", token="open sesame")
        position = ["4k3/8/8/8/8/8/8/4K2R w K - 0 1"]
        self.assertEqual(len(client.evaluate(position).evaluations), 1)
        for token in (None, "open", "open sesame street"):
            stranger = Tabia(server.address, token)
            self.addCleanup(stranger.channel.close)
            unknown, words = grpc.StatusCode.UNAUTHENTICATED, "authorization: Bearer TOKEN"
            self.assert_refused(unknown, words, lambda stranger=stranger: stranger.evaluate(position))
            self.assert_refused(unknown, words, lambda stranger=stranger: list(stranger.games(1, 1, QUICK)))
            self.assert_refused(unknown, words, lambda stranger=stranger: stranger.load(onnx=b""))

    def test_a_polite_kill_ends_it_and_tells_who_listens(self):
        server, client = self.start("--weights", str(self.first))
        endless = client.games(1_000_000, 1, QUICK)
        next(endless)
        server.process.send_signal(signal.SIGTERM)
        self.assert_refused(grpc.StatusCode.UNAVAILABLE, "", lambda: list(endless))
        self.assertEqual(server.process.wait(GUARD_S), 0)

    def test_the_example_plays_and_learns(self):
        server, client = self.start("--weights", str(self.first))
        command = [sys.executable, str(ROOT / "examples/python/quantum_trainer.py"), server.address, "--games", "4",
                   "--steps", "30", *settings(QUICK)]  # fmt: skip
        environment = {key: value for key, value in os.environ.items() if key != "TABIA_TOKEN"}
        done = subprocess.run(command, capture_output=True, text=True, timeout=GUARD_S, check=False, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("4 games", done.stdout)
        try:
            import torch
        except ImportError:
            self.assertIn("PyTorch is not installed", done.stdout)
            self.skipTest("PyTorch is not installed: the example learned nothing")
        losses = re.search(r"loss ([\d.]+), after 30 steps ([\d.]+); weights 2:", done.stdout)
        self.assertLess(float(losses[2]), float(losses[1]))
        # PyTorch and the server agree on what the new network says.
        learner = quantum_trainer.Learner(client.weights(), rate=0.001)
        probes, _ = self.probes(self.first)
        answers = client.evaluate([probe["position"] for probe in probes])
        self.assertEqual(answers.weights_version, 2)
        planes = torch.tensor([probe["planes"] for probe in probes]).reshape(-1, 28, 8, 8)
        with torch.no_grad():
            policy, value = learner.forward(planes)
        for row, chances, said in zip(policy, value.softmax(1), answers.evaluations, strict=True):
            shares = row[list(said.numbers)].softmax(0)
            self.assertLess(float((shares - torch.tensor(list(said.policy))).abs().max()), 1e-4)
            self.assertLess(abs(float(chances[0] - chances[2]) - said.value), 1e-4)


class Evaluator(services.QuantumServicer):
    """A trainer that evaluates the leaves of Tabia's search: it likes moves with small numbers."""

    def __init__(self, spoil=lambda answer: None, good: int = 0):
        """`spoil` changes every answer after the first `good` ones."""
        self.spoil, self.good = spoil, good
        self.batches: list[int] = []
        self.tokens: set[str | None] = set()
        self.lock = threading.Lock()
        self.server = grpc.server(futures.ThreadPoolExecutor(2))
        services.add_QuantumServicer_to_server(self, self.server)
        self.address = f"http://127.0.0.1:{self.server.add_insecure_port('127.0.0.1:0')}"
        self.server.start()

    def EvaluatePosition(self, request, context):  # noqa: N802
        with self.lock:
            self.batches.append(len(request.positions))
            self.tokens.add(dict(context.invocation_metadata()).get("authorization"))
            spoiled = len(self.batches) > self.good
        answer = messages.EvaluatePositionResponse()
        for position, encoded in zip(request.positions, request.encoded, strict=True):
            assert f" {'w' if encoded.white_to_move else 'b'} " in f" {position} ", position
            assert len(planes_of(encoded)) == 28 * 64
            # Largest number first: the search goes by the numbers, not by the order.
            numbers = sorted(encoded.moves, reverse=True)
            weights = [1.0 / (1 + number) for number in numbers]
            policy = [weight / sum(weights) for weight in weights]
            answer.evaluations.append(messages.Evaluation(value=0.1, numbers=numbers, policy=policy))
        if spoiled:
            self.spoil(answer)
        return answer


class ExternalEvaluator(unittest.TestCase):
    """Tabia's search asks a Python program what positions are worth."""

    def evaluator(self, *arguments, **options) -> Evaluator:
        evaluator = Evaluator(*arguments, **options)
        self.addCleanup(evaluator.server.stop, None)
        return evaluator

    def test_the_search_asks_in_batches_and_hears_the_answer(self):
        evaluator = self.evaluator()
        done = tabia("analyze", "--evaluator", evaluator.address, "--simulations", "64", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        analysis = json.loads(done.stdout)
        self.assertEqual(analysis["simulations"], 64)
        self.assertGreater(max(evaluator.batches), 1)
        priors = [m["prior"] for m in analysis["moves"]]
        self.assertAlmostEqual(sum(priors), 1.0, places=4)
        self.assertGreater(max(priors), 2 * min(priors))

    def test_our_own_service_is_an_evaluator_too(self):
        server = Server()
        self.addCleanup(server.kill)
        ours = tabia("analyze", "--simulations", "40", "--json")
        theirs = tabia("analyze", "--simulations", "40", "--json", "--evaluator", f"http://{server.address}")
        self.assertEqual(theirs.returncode, 0, theirs.stderr)
        self.assertEqual(json.loads(theirs.stdout), json.loads(ours.stdout))

    def test_rubbish_ends_the_search_with_a_sentence(self):
        def nan(answer):
            answer.evaluations[0].value = math.nan

        def short(answer):
            del answer.evaluations[0].policy[-1]

        def unnormalised(answer):
            answer.evaluations[0].policy[0] += 1

        def negative(answer):
            answer.evaluations[0].policy[0] = -0.5

        def missing(answer):
            del answer.evaluations[0]

        def refusing(_answer):
            raise RuntimeError("no memory is left")

        for spoil, words in [
            (nan, "the value is NaN, expected -1 to 1"),
            (short, "shares, expected one for each of the"),
            (unnormalised, "the policy sums to"),
            (negative, "is -0.5, expected 0 to 1"),
            (missing, "evaluations for"),
            (refusing, "refused with Unknown"),
        ]:
            for good in (0, 2):
                with self.subTest(words, good=good):
                    evaluator = self.evaluator(spoil, good)
                    done = tabia("analyze", "--evaluator", evaluator.address, "--simulations", "64")
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertIn(words, done.stderr)
                    self.assertIn(evaluator.address, done.stderr)
                    self.assertEqual(len(evaluator.batches), good + 1, "it was asked again")

    def test_a_match_keeps_its_games_when_the_evaluator_goes_away(self):
        with tempfile.TemporaryDirectory() as folder:
            run = Path(folder) / "run"
            journal = run / "games.jsonl"

            def games() -> int:
                return len(journal.read_text().splitlines()) if journal.exists() else 0

            def leave(_answer):
                # Whoever plays does not wait for the journal: here it catches up, long before the last game.
                time.sleep(0.1)
                if games() >= 2:
                    evaluator.server.stop(None)

            evaluator = self.evaluator(leave)
            agent = f"outside=net(evaluator={evaluator.address},simulations=8,endings=off)"
            # Both kings can be taken at once: short games.
            position = "3kq3/8/8/8/8/8/8/3QK3 w - - 0 1"
            done = tabia("match", "--agent", agent, "--agent", "random", "--games", "30", "--concurrency", "1",
                         "--position", position, "--run", str(run))  # fmt: skip
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("cannot connect to the evaluator at", done.stderr)
            # The game that it left is lost by forfeit, and says why. Nothing is played after it.
            self.assertTrue(3 <= games() < 30, games())
            self.assertIn(f"the evaluator at {evaluator.address} ", journal.read_text().splitlines()[-1])
            # It is there again, at the same address, and the match goes on.
            evaluator.spoil = lambda _answer: None
            evaluator.server.stop(None).wait()
            again = grpc.server(futures.ThreadPoolExecutor(2))
            services.add_QuantumServicer_to_server(evaluator, again)
            again.add_insecure_port(evaluator.address.removeprefix("http://"))
            again.start()
            self.addCleanup(again.stop, None)
            done = tabia("match", "--resume", str(run), "--concurrency", "1")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(games(), 30)

    def test_the_token_is_sent_and_kept_out_of_specs(self):
        evaluator = self.evaluator()
        command = [tabia_binary(), "quantum", "analyze", "--evaluator", evaluator.address, "--simulations", "8"]
        environment = {**os.environ, "TABIA_EVALUATOR_TOKEN": "open sesame"}
        done = subprocess.run(command, capture_output=True, text=True, timeout=GUARD_S, check=False, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(evaluator.tokens, {"Bearer open sesame"})

    def test_nobody_there_is_said_before_the_game(self):
        done = tabia("play", "--white", "net(evaluator=http://127.0.0.1:1)", "--black", "random", "--no-save")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("cannot connect to the evaluator at http://127.0.0.1:1", done.stderr)


if __name__ == "__main__":
    unittest.main()

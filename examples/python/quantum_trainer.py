"""A trainer for quantum chess in Python: games come from Tabia over gRPC, new weights go back.

    tabia quantum serve-grpc                                  # in one terminal
    python3 quantum_trainer.py --games 20 --steps 50          # in another

It needs grpcio-tools, which reads the .proto as it is. Where PyTorch can be imported it learns from the games and hands the network back;
without it, it says what the games were like. The network is written with plain functions over named tensors, the names of Tabia's files.
"""

import argparse
import array
import json
import os
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import grpc

# The description is part of the source; `tabia quantum serve-grpc --print-proto` prints it too.
sys.path.append(str(Path(__file__).resolve().parents[2] / "crates" / "rpc" / "proto"))
messages, services = grpc.protos_and_services("quantum.proto")

PLANES, SQUARES, MOVES = 28, 64, 9344
EPSILON = 1e-5
# Seed 004: five minutes, for channels that are silent while games are played.
KEEPALIVE_MS = 300_000
LARGEST = 256 << 20

Tensors = dict[str, tuple[list[int], array.array]]


class Tabia:
    """The calls of one server."""

    def __init__(self, address: str, token: str | None = None):
        options = [
            ("grpc.keepalive_time_ms", KEEPALIVE_MS),
            ("grpc.max_receive_message_length", LARGEST),
            ("grpc.max_send_message_length", LARGEST),
        ]
        self.channel = grpc.insecure_channel(address, options)
        self.calls = services.QuantumStub(self.channel)
        self.metadata = [("authorization", f"Bearer {token}")] if token else []

    def games(self, count: int, seed: int = 1, settings: list[str] = (), planes: bool = False) -> Iterator:
        """Games as they end. `cancel()` on what is returned ends them early."""
        request = messages.GenerateGamesRequest(games=count, seed=seed, settings=settings, planes=planes)
        return self.calls.GenerateGames(request, metadata=self.metadata)

    def evaluate(self, positions: list[str]):
        request = messages.EvaluatePositionRequest(positions=positions)
        return self.calls.EvaluatePosition(request, metadata=self.metadata)

    def weights(self) -> bytes:
        return self.calls.GetWeights(messages.GetWeightsRequest(), metadata=self.metadata).safetensors

    def load(self, any_shape: bool = False, **file: bytes):
        """Hands over a network: `safetensors=…` or `onnx=…`."""
        return self.calls.LoadWeights(messages.LoadWeightsRequest(any_shape=any_shape, **file), metadata=self.metadata)


def planes_of(sample) -> array.array:
    """The 28 planes of a sample, one after another."""
    planes = array.array("f", bytes(4 * PLANES * SQUARES))
    for place, amount in zip(sample.places, sample.amounts, strict=True):
        planes[place] = amount
    for square in range(SQUARES):
        planes[24 * SQUARES + square] = sample.branches
        planes[25 * SQUARES + square] = float(sample.white_to_move)
    return planes


def read_safetensors(data: bytes) -> tuple[Tensors, dict[str, str]]:
    """The tensors of a file, and its metadata."""
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        start, end = entry["data_offsets"]
        tensors[name] = (entry["shape"], array.array("f", data[8 + length + start : 8 + length + end]))
    return tensors, metadata


def write_safetensors(tensors: Tensors, metadata: dict[str, str]) -> bytes:
    # The sum of the old numbers is not that of the new ones.
    header: dict = {"__metadata__": {key: value for key, value in metadata.items() if key != "sha256"}}
    data = b""
    for name, (shape, numbers) in tensors.items():
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + 4 * len(numbers)]}
        data += numbers.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


class Learner:
    """Seed 004's network in PyTorch, of whatever size the server's file says."""

    def __init__(self, file: bytes, rate: float):
        import torch

        self.torch = torch
        tensors, self.metadata = read_safetensors(file)
        self.shape = json.loads(self.metadata["architecture"])
        self.tensors = {}
        for name, (shape, numbers) in tensors.items():
            measured = name.endswith((".norm.mean", ".norm.variance"))
            self.tensors[name] = torch.tensor(numbers).reshape(shape).requires_grad_(not measured)
        learned = [tensor for tensor in self.tensors.values() if tensor.requires_grad]
        self.optimiser = torch.optim.Adam(learned, lr=rate, weight_decay=1e-4)

    def convolution(self, x, name: str, training: bool):
        """A convolution with its normalisation."""
        functional, part = self.torch.nn.functional, lambda kind: self.tensors[f"{name}.{kind}"]
        kernel = part("conv.weight")
        x = functional.conv2d(x, kernel, padding=kernel.shape[-1] // 2)
        return functional.batch_norm(x, part("norm.mean"), part("norm.variance"), part("norm.scale"), part("norm.bias"),
                                     training=training, eps=EPSILON)  # fmt: skip

    def forward(self, x, training: bool = False):
        """Logits of all moves, and what the value head says before it is made chances or a value."""
        functional, tensors = self.torch.nn.functional, self.tensors
        linear = lambda x, name: functional.linear(x, tensors[f"{name}.weight"], tensors[f"{name}.bias"])  # noqa: E731
        x = self.convolution(x, "input", training).relu()
        for block in range(self.shape["blocks"]):
            within = self.convolution(x, f"block{block}.first", training).relu()
            x = (self.convolution(within, f"block{block}.second", training) + x).relu()
        if self.shape["policy"] == "convolution":
            ways = functional.conv2d(x, tensors["policy.moves.weight"], tensors["policy.moves.bias"])
            # A move's number is its square's first, then its way's.
            policy = ways.permute(0, 2, 3, 1).flatten(1)
        else:
            policy = linear(self.convolution(x, "policy", training).relu().flatten(1), "policy.dense")
        seen = self.convolution(x, "value", training).relu().flatten(1)
        return policy, linear(linear(seen, "value.hidden").relu(), "value.out")

    def batch(self, samples: list) -> tuple:
        """Planes, shares of all moves with a mask of the legal ones, and chances."""
        torch = self.torch
        planes = torch.stack([torch.tensor(planes_of(sample)) for sample in samples]).reshape(-1, PLANES, 8, 8)
        shares, legal = torch.zeros(len(samples), MOVES), torch.zeros(len(samples), MOVES, dtype=torch.bool)
        for row, sample in enumerate(samples):
            moves = torch.tensor(list(sample.moves), dtype=torch.long)
            shares[row, moves] = torch.tensor(list(sample.shares))
            legal[row, moves] = True
        chances = torch.tensor([[sample.win, sample.draw, sample.loss] for sample in samples])
        return planes, shares, legal, chances

    def step(self, batch: tuple) -> float:
        """One step of descent; the loss before it."""
        torch = self.torch
        planes, shares, legal, chances = batch
        policy, value = self.forward(planes, training=True)
        # Samples of a quick search have no moves and teach the value alone.
        taught = legal.any(1)
        logits = policy[taught].masked_fill(~legal[taught], float("-inf"))
        logs = logits.log_softmax(1).masked_fill(~legal[taught], 0.0)
        loss = -(shares[taught] * logs).sum(1).mean() if taught.any() else policy.sum() * 0.0
        if self.shape["value"] == "chances":
            loss = loss - (chances * value.log_softmax(1)).sum(1).mean()
        else:
            loss = loss + (value.tanh().squeeze(1) - (chances[:, 0] - chances[:, 2])).square().mean()
        self.optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([tensor for tensor in self.tensors.values() if tensor.requires_grad], 1.0)
        self.optimiser.step()
        return float(loss)

    def file(self) -> bytes:
        numbers = lambda tensor: array.array("f", tensor.detach().flatten().tolist())  # noqa: E731
        tensors = {name: (list(tensor.shape), numbers(tensor)) for name, tensor in self.tensors.items()}
        return write_safetensors(tensors, self.metadata)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("address", nargs="?", default="127.0.0.1:50051")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--rate", type=float, default=0.002)
    arguments = parser.parse_args()
    tabia = Tabia(arguments.address, os.environ.get("TABIA_TOKEN"))
    samples, plies = [], []
    for game in tabia.games(arguments.games, arguments.seed, arguments.set):
        samples.extend(game.samples)
        plies.append(game.plies)
        print(f"game {game.number}: {messages.Result.Name(game.result)} after {game.plies} plies", flush=True)
    print(f"{len(plies)} games, {sum(plies) / len(plies):.0f} plies each, {len(samples)} samples")
    try:
        learner = Learner(tabia.weights(), arguments.rate)
    except ImportError:
        print("PyTorch is not installed: nothing is learned")
        return
    batch = learner.batch(samples)
    losses = [learner.step(batch) for _ in range(arguments.steps)]
    answer = tabia.load(safetensors=learner.file())
    print(f"loss {losses[0]:.3f}, after {len(losses)} steps {losses[-1]:.3f}; weights {answer.version}: {answer.network}")


if __name__ == "__main__":
    try:
        main()
    except grpc.RpcError as error:
        sys.exit(f"{error.code().name}: {error.details()}")

"""Trains the network of `tabia tune --eval nnue` with PyTorch, on a GPU or on processors.

Started by tabia as `python -c PROGRAM REQUEST`, where REQUEST is JSON (see `crates/tune/src/nnue/mod.rs`). It tells how far it
has come on standard output, one JSON object a line; faults are one line on standard error and the exit code 1.

The network: 768 inputs (piece and square, seen by each side, mirrored so that its own king stands on files e to h) into
`hidden` units a side with squared clipped ReLU, then one output for each bucket of piece counts.
"""

import base64
import json
import math
import os
import sys
import time

INPUTS = 768
PADDING = INPUTS
# Columns of a dense batch: the inputs and what is padded, so that rows are aligned for tensor cores.
COLUMNS = INPUTS + 8
PIECES = 32
RECORD = 32
# Input weights and hidden units are multiplied by QA, output weights by QB; an output of 1 is SCALE centipawns.
QA, QB, SCALE = 255, 256, 400
# 32 input weights and a bias fit 16 bits; |output weight * QB| is at most 127, so that a unit times its weight fits them too.
CLIP = 1.98
OUTPUT_CLIP = 127 / QB
# Positions unpacked or judged at a time.
CHUNK = 1 << 18
CHECKED = 256


def fail(message):
    sys.stderr.write(message + "\n")
    sys.exit(1)


try:
    import numpy as np
    import torch
except ImportError as error:
    fail(f"this Python has no {error.name}: PyTorch and numpy are needed ({sys.executable})")


def tell(**what):
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def choose_device(name):
    if name == "cuda" and not torch.cuda.is_available():
        fail(f"PyTorch {torch.__version__} finds no CUDA device; --device torch trains on processors")
    return torch.device("cuda" if name == "cuda" or (name == "any" and torch.cuda.is_available()) else "cpu")


class Positions:
    """All positions of a file, unpacked on the device: features of both sides, bucket, score and result of the side to move."""

    def __init__(self, path, device):
        data = np.memmap(path, dtype=np.uint8, mode="r")
        if bytes(data[:15]) != b"TABIA-SAMPLES/1":
            fail(f"{path} is no file of samples")
        records = data[RECORD:][: (len(data) // RECORD - 1) * RECORD].reshape(-1, RECORD)
        self.count = len(records)
        if self.count == 0:
            fail(f"{path} holds no position")
        parts = []
        for start in range(0, self.count, CHUNK):
            chunk = torch.from_numpy(np.array(records[start : start + CHUNK])).to(device)
            parts.append(unpack(chunk))
        self.own, self.other, self.bucket, self.score, self.result = (torch.cat(part) for part in zip(*parts))


def unpack(records):
    """Records of 32 bytes, as `crates/tune/src/sample.rs` documents them, to what the network sees."""
    device, count = records.device, len(records)
    wide = records.to(torch.int64)
    bits = (wide[:, :8].unsqueeze(2) >> torch.arange(8, device=device)) & 1
    occupied = bits.reshape(count, 64)
    pieces = occupied.sum(1)
    nibbles = torch.stack((wide[:, 8:24] & 15, wide[:, 8:24] >> 4), dim=2).reshape(count, PIECES)
    row, square = torch.nonzero(occupied, as_tuple=True)
    column = (occupied.cumsum(1) - 1)[row, square]
    squares = torch.full((count, PIECES), 64, dtype=torch.int64, device=device)
    squares[row, column] = square
    present = squares < 64
    black_to_move = wide[:, 24] & 1
    features = []
    for side in (black_to_move, 1 - black_to_move):
        king = (squares * (present & (nibbles == 5 + 8 * side.unsqueeze(1)))).sum(1)
        flip = 56 * side + 7 * ((king & 7) < 4).to(torch.int64)
        enemy = ((nibbles >> 3) != side.unsqueeze(1)).to(torch.int64)
        index = enemy * 384 + (nibbles & 7) * 64 + (squares ^ flip.unsqueeze(1))
        features.append(torch.where(present, index, torch.full_like(index, PADDING)).to(torch.int16))
    low, high = wide[:, 26], wide[:, 27]
    score = low + 256 * high
    score = torch.where(score >= 1 << 15, score - (1 << 16), score)
    sign = 1 - 2 * black_to_move
    result = wide[:, 28].float() / 2
    result = torch.where(black_to_move == 1, 1 - result, result)
    bucket = (pieces - 2).clamp(min=0) // 4
    return features[0], features[1], bucket.to(torch.uint8), (score * sign).to(torch.int16), result


class Net(torch.nn.Module):
    def __init__(self, hidden, buckets, seed):
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        spread = 1 / math.sqrt(PIECES)
        uniform = lambda *shape: (torch.rand(*shape, generator=generator) * 2 - 1)
        self.inputs = torch.nn.Parameter(uniform(INPUTS, hidden) * spread)
        self.hidden_bias = torch.nn.Parameter(torch.full((hidden,), 0.1))
        self.outputs = torch.nn.Parameter((uniform(1, 2 * hidden) / math.sqrt(2 * hidden)).repeat(buckets, 1))
        self.output_bias = torch.nn.Parameter(torch.zeros(buckets))

    def side(self, features):
        if features.is_cuda:
            # Matrix products are faster there than sums of rows, whose gradients wait for one another.
            dense = torch.zeros(len(features), COLUMNS, device=features.device)
            dense.scatter_(1, features.long(), 1.0)
            return dense[:, :INPUTS] @ self.inputs + self.hidden_bias
        table = torch.cat((self.inputs, torch.zeros(1, self.inputs.shape[1], device=features.device)))
        sums = torch.nn.functional.embedding_bag(features.long(), table, mode="sum")
        return sums + self.hidden_bias

    def forward(self, own, other, bucket):
        units = torch.cat((self.side(own), self.side(other)), dim=1).clamp(0, 1) ** 2
        every = units @ self.outputs.t() + self.output_bias
        return every.gather(1, bucket.long().unsqueeze(1)).squeeze(1)

    def clip(self):
        with torch.no_grad():
            self.inputs.clamp_(-CLIP, CLIP)
            self.hidden_bias.clamp_(-CLIP, CLIP)
            self.outputs.clamp_(-OUTPUT_CLIP, OUTPUT_CLIP)

    def quantised(self):
        """The whole numbers that are played with."""
        integers = lambda tensor, unit: np.rint(tensor.detach().double().cpu().numpy() * unit).astype(np.int64)
        return {
            "inputs": integers(self.inputs, QA),
            "hidden_bias": integers(self.hidden_bias, QA),
            "outputs": integers(self.outputs, QB),
            "output_bias": integers(self.output_bias, QA * QA * QB),
        }

    def load_quantised(self, numbers):
        with torch.no_grad():
            for name, unit in (("inputs", QA), ("hidden_bias", QA), ("outputs", QB), ("output_bias", QA * QA * QB)):
                parameter = getattr(self, name)
                parameter.copy_(torch.from_numpy(numbers[name] / unit).to(parameter))


def fit_k(positions):
    """The steepness of the logistic function that fits results to scores best."""
    count = min(positions.count, 2_000_000)
    score, result = positions.score[:count].double(), positions.result[:count].double()

    def loss(k):
        return torch.nn.functional.binary_cross_entropy_with_logits(k * score, result).item()

    low, high = 1e-4, 5e-2
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(40):
        a, b = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, b) if loss(a) < loss(b) else (a, high)
    return (low + high) / 2


def targets(positions, rows, k, share):
    return (1 - share) * torch.sigmoid(k * positions.score[rows].float()) + share * positions.result[rows]


def loss_of(output, target, k, power):
    return ((torch.sigmoid(output * (k * SCALE)) - target).abs() ** power).mean()


@torch.no_grad()
def judge(net, positions, k, share, power):
    total = 0.0
    for start in range(0, positions.count, CHUNK // 4):
        rows = slice(start, min(start + CHUNK // 4, positions.count))
        output = net(positions.own[rows], positions.other[rows], positions.bucket[rows])
        loss = loss_of(output, targets(positions, rows, k, share), k, power)
        total += loss.item() * (rows.stop - rows.start)
    return total / positions.count


def centipawns(numbers, positions, count):
    """What the whole numbers say of some positions, for the side to move: the same that is played with."""
    inputs = np.vstack((numbers["inputs"], np.zeros((1, numbers["inputs"].shape[1]), dtype=np.int64)))
    units = []
    for features in (positions.own[:count], positions.other[:count]):
        sums = inputs[features.cpu().numpy().astype(np.int64)].sum(1) + numbers["hidden_bias"]
        units.append(np.clip(sums, 0, QA) ** 2)
    bucket = positions.bucket[:count].cpu().numpy()
    total = (np.hstack(units) * numbers["outputs"][bucket]).sum(1) + numbers["output_bias"][bucket]
    scaled = total * SCALE
    return (np.sign(scaled) * (np.abs(scaled) // (QA * QA * QB))).tolist()


def checksum(data):
    total = 0xCBF29CE484222325
    for byte in data:
        total = ((total ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{total:016x}"


def write_atomically(path, write):
    part = f"{path}.part"
    write(part)
    os.replace(part, path)


def write_weights(path, numbers, hidden, buckets, note):
    data = b"".join(
        numbers[name].astype(kind).tobytes()
        for name, kind in (("inputs", "<i2"), ("hidden_bias", "<i2"), ("outputs", "<i2"), ("output_bias", "<i4"))
    )
    document = {
        "format": "tabia-nnue/1", "inputs": INPUTS, "hidden": hidden, "buckets": buckets, "activation": "screlu",
        "qa": QA, "qb": QB, "scale": SCALE, "note": note, "checksum": checksum(data),
        "weights": base64.b64encode(data).decode(),
    }

    def write(part):
        with open(part, "w") as file:
            json.dump(document, file, indent=1)
            file.write("\n")

    write_atomically(path, write)


def read_weights(path):
    with open(path) as file:
        document = json.load(file)
    data, at, numbers = base64.b64decode(document["weights"]), 0, {}
    hidden, buckets = document["hidden"], document["buckets"]
    shapes = (("inputs", "<i2", (INPUTS, hidden)), ("hidden_bias", "<i2", (hidden,)),
              ("outputs", "<i2", (buckets, 2 * hidden)), ("output_bias", "<i4", (buckets,)))
    for name, kind, shape in shapes:
        size = math.prod(shape) * np.dtype(kind).itemsize
        numbers[name] = np.frombuffer(data[at : at + size], dtype=kind).reshape(shape).astype(np.int64)
        at += size
    return numbers


def main(request):
    device = choose_device(request["device"])
    torch.manual_seed(request["seed"])
    if device.type == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = True
    else:
        torch.set_num_threads(request["threads"])
    hidden, buckets = request["hidden"], request["buckets"]
    share, power, epochs, batch = request["result_share"], request["power"], request["epochs"], request["batch"]
    started = time.time()
    training = Positions(request["training"], device)
    validation = Positions(request["validation"], device)
    net = Net(hidden, buckets, request["seed"]).to(device)
    if request["from"]:
        net.load_quantised(read_weights(request["from"]))
    k = request["steepness"] or fit_k(training)
    options = {"fused": True} if device.type == "cuda" and torch.__version__ >= "2" else {}
    optimiser = torch.optim.AdamW(net.parameters(), lr=request["rate"], weight_decay=request["decay"], **options)
    steps = max(1, training.count // batch)
    state_path = os.path.join(request["run"], "state.pt")
    state = {"epoch": 0, "history": [], "best": None}
    if os.path.exists(state_path):
        state = torch.load(state_path, map_location=device)
        net.load_state_dict(state.pop("net"))
        optimiser.load_state_dict(state.pop("optimiser"))
    name = torch.cuda.get_device_name() if device.type == "cuda" else f"{torch.get_num_threads()} threads"
    tell(device=f"PyTorch {torch.__version__}, {name}", positions=training.count, validation=validation.count, k=k,
         epoch=state["epoch"], before=judge(net, validation, k, share, power), seconds=time.time() - started)
    weights_path = os.path.join(request["run"], "weights.nnue")
    for epoch in range(state["epoch"], epochs):
        began = time.time()
        generator = torch.Generator(device=device).manual_seed(request["seed"] * 1_000_003 + epoch)
        order = torch.randperm(training.count, generator=generator, device=device)
        total = torch.zeros((), device=device)
        for step in range(steps):
            rows = order[step * batch : (step + 1) * batch]
            done = (epoch + step / steps) / epochs
            rate = request["final_rate"] + (request["rate"] - request["final_rate"]) * (1 + math.cos(math.pi * done)) / 2
            for group in optimiser.param_groups:
                group["lr"] = rate
            output = net(training.own[rows], training.other[rows], training.bucket[rows])
            loss = loss_of(output, targets(training, rows, k, share), k, power)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            net.clip()
            total += loss.detach()
        held_out = judge(net, validation, k, share, power)
        state["epoch"] = epoch + 1
        state["history"].append([total.item() / steps, held_out])
        if state["best"] is None or held_out < state["best"]:
            state["best"] = held_out
            note = (f"learned from {training.count} positions, seed {request['seed']}, epoch {epoch + 1} of {epochs}: "
                    f"loss {total.item() / steps:.6f}, {held_out:.6f} on games it has not seen, K {k:.6f}")
            write_weights(weights_path, net.quantised(), hidden, buckets, note)
        kept = dict(state, net=net.state_dict(), optimiser=optimiser.state_dict())
        write_atomically(state_path, lambda part: torch.save(kept, part))
        seconds = time.time() - began
        tell(epoch=epoch + 1, loss=total.item() / steps, validation=held_out, rate=rate,
             positions_a_second=steps * batch / seconds)
    numbers = read_weights(weights_path)
    net.load_quantised(numbers)
    count = min(CHECKED, validation.count)
    tell(best=state["best"], quantised=judge(net, validation, k, share, power),
         centipawns=centipawns(numbers, validation, count), seconds=time.time() - started)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))

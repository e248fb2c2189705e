"""Trains the network of `tabia tune --eval nnue` with PyTorch, on a GPU or on processors.

Started by tabia as `python -c PROGRAM REQUEST`, where REQUEST is JSON (see `crates/tune/src/nnue/mod.rs`). It tells how far it
has come on standard output, one JSON object a line; faults are one line on standard error and the exit code 1.

The network: 768 inputs (piece and square, seen by each side, mirrored so that its own king stands on files e to h) into
`hidden` units a side with squared clipped ReLU, then one output for each bucket of piece counts. With king buckets there is
a table of 768 input weights for each bucket of squares of the own king, and while training a factoriser: one more table, which
is added to all of them.
"""

import base64
import json
import math
import os
import sys
import time

INPUTS = 768
PADDING = INPUTS
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
    device = torch.device("cuda" if name == "cuda" or (name == "any" and torch.cuda.is_available()) else "cpu")
    if device.type == "cuda":
        try:
            one = torch.ones(8, 8, device=device, dtype=torch.float16)
            torch.mm(one, one, out_dtype=torch.float32)
        except TypeError:
            fail(f"on a GPU PyTorch 2.8 or later is needed, this is {torch.__version__}; --device torch trains on processors")
    return device


class Positions:
    """All positions of a file, unpacked on the device: features of both sides, bucket, score and result of the side to move."""

    def __init__(self, path, device, kings):
        data = np.memmap(path, dtype=np.uint8, mode="r")
        if bytes(data[:15]) != b"TABIA-SAMPLES/1":
            fail(f"{path} is no file of samples")
        records = data[RECORD:][: (len(data) // RECORD - 1) * RECORD].reshape(-1, RECORD)
        self.count = len(records)
        if self.count == 0:
            fail(f"{path} holds no position")
        # Filled in place: what is unpacked may take more than half of the device's memory.
        columns = None
        for start in range(0, self.count, CHUNK):
            chunk = torch.from_numpy(np.array(records[start : start + CHUNK])).to(device)
            parts = unpack(chunk, kings)
            if columns is None:
                columns = [torch.empty(self.count, *part.shape[1:], dtype=part.dtype, device=device) for part in parts]
            for column, part in zip(columns, parts):
                column[start : start + len(part)] = part
        self.own, self.other, self.own_king, self.other_king, self.bucket, self.score, self.result = columns

    def inputs(self, rows):
        """What the network is given for some rows."""
        sides = self.own[rows], self.other[rows], self.own_king[rows], self.other_king[rows]
        return (*sides, self.bucket[rows])


def unpack(records, kings):
    """Records of 32 bytes, as `crates/tune/src/sample.rs` documents them, to what the network sees. `kings` are the buckets of
    the own king's squares e1, f1, g1, h1, e2 and so on."""
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
    features, buckets = [], []
    for side in (black_to_move, 1 - black_to_move):
        king = (squares * (present & (nibbles == 5 + 8 * side.unsqueeze(1)))).sum(1)
        flip = 56 * side + 7 * ((king & 7) < 4).to(torch.int64)
        seen = king ^ flip
        buckets.append(kings[(seen >> 3) * 4 + (seen & 3)])
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
    return *features, *buckets, bucket.to(torch.uint8), (score * sign).to(torch.int16), result


class Net(torch.nn.Module):
    def __init__(self, hidden, buckets, king_buckets, seed, is_dense):
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        spread = 1 / math.sqrt(PIECES)
        uniform = lambda *shape: (torch.rand(*shape, generator=generator) * 2 - 1)
        self.king_buckets, self.is_dense = king_buckets, is_dense
        shared = uniform(INPUTS, hidden) * spread
        if king_buckets == 1:
            self.inputs, self.factoriser = torch.nn.Parameter(shared), None
        else:
            self.inputs = torch.nn.Parameter(torch.zeros(king_buckets * INPUTS, hidden))
            self.factoriser = torch.nn.Parameter(shared)
        self.hidden_bias = torch.nn.Parameter(torch.full((hidden,), 0.1))
        self.outputs = torch.nn.Parameter((uniform(1, 2 * hidden) / math.sqrt(2 * hidden)).repeat(buckets, 1))
        self.output_bias = torch.nn.Parameter(torch.zeros(buckets))

    def folded(self):
        """The input weights of all buckets, as they are played with."""
        return self.inputs if self.factoriser is None else self.inputs + self.factoriser.repeat(self.king_buckets, 1)

    def side(self, table, features, king):
        if self.is_dense:
            # On a GPU matrix products are faster than sums of rows, whose gradients wait for one another. The product is
            # with the tables of all buckets: sorting positions by bucket first would save arithmetic, but its shapes
            # would depend on the batch, and a step could not be recorded (see `Steps`).
            return RowSums.apply(dense(features, king, len(table)), table) + self.hidden_bias
        table = torch.cat((table, torch.zeros(1, table.shape[1], device=features.device)))
        rows = features.long() + INPUTS * king.long().unsqueeze(1)
        rows = torch.where(features == PADDING, torch.full_like(rows, self.king_buckets * INPUTS), rows)
        sums = torch.nn.functional.embedding_bag(rows, table, mode="sum")
        return sums + self.hidden_bias

    def forward(self, own, other, own_king, other_king, bucket):
        table = self.folded()
        sides = self.side(table, own, own_king), self.side(table, other, other_king)
        units = torch.cat(sides, dim=1).clamp(0, 1) ** 2
        every = units @ self.outputs.t() + self.output_bias
        return every.gather(1, bucket.long().unsqueeze(1)).squeeze(1)

    def clip(self):
        with torch.no_grad():
            if self.factoriser is None:
                self.inputs.clamp_(-CLIP, CLIP)
            else:
                # The sums are what must be in range.
                self.factoriser.clamp_(-CLIP, CLIP)
                shared = self.factoriser.repeat(self.king_buckets, 1)
                self.inputs.clamp_(min=-CLIP - shared, max=CLIP - shared)
            self.hidden_bias.clamp_(-CLIP, CLIP)
            self.outputs.clamp_(-OUTPUT_CLIP, OUTPUT_CLIP)

    def quantised(self):
        """The whole numbers that are played with."""
        integers = lambda tensor, unit: np.rint(tensor.detach().double().cpu().numpy() * unit).astype(np.int64)
        return {
            "inputs": integers(self.folded(), QA),
            "hidden_bias": integers(self.hidden_bias, QA),
            "outputs": integers(self.outputs, QB),
            "output_bias": integers(self.output_bias, QA * QA * QB),
        }

    def load_quantised(self, numbers):
        """Takes the numbers of a network with as many buckets, or with one: what that knew holds for all."""
        with torch.no_grad():
            load = lambda parameter, name, unit: parameter.copy_(torch.from_numpy(numbers[name] / unit).to(parameter))
            if self.factoriser is not None:
                self.inputs.zero_()
                self.factoriser.zero_()
            is_narrower = len(numbers["inputs"]) < len(self.inputs)
            load(self.factoriser if is_narrower else self.inputs, "inputs", QA)
            load(self.hidden_bias, "hidden_bias", QA)
            load(self.outputs, "outputs", QB)
            load(self.output_bias, "output_bias", QA * QA * QB)


def dense(features, king, inputs):
    """Rows of zeros and ones, one column for each input of each bucket."""
    columns = torch.where(features == PADDING, inputs, features.long() + INPUTS * king.long().unsqueeze(1))
    # Some columns more, for what is padded: rows are aligned for tensor cores.
    rows = torch.zeros(len(features), inputs + 8, device=features.device, dtype=torch.float16)
    return rows.scatter_(1, columns, 1.0)[:, :inputs]


class RowSums(torch.autograd.Function):
    """Sums of the table's rows that the ones of `rows` choose. Factors have half precision and sums single precision:
    zeros and ones are exact, and weights and gradients are rounded to 11 bits."""

    @staticmethod
    def forward(ctx, rows, table):
        ctx.save_for_backward(rows)
        return torch.mm(rows, table.half(), out_dtype=torch.float32)

    @staticmethod
    def backward(ctx, gradient):
        (rows,) = ctx.saved_tensors
        # The loss is a mean: without the scale a position's gradient would be too small for half precision. A position's
        # own gradient is below 1.
        scale = 64.0 * len(rows)
        return None, torch.mm(rows.t(), (gradient * scale).half(), out_dtype=torch.float32) / scale


class Steps:
    """Steps of the optimiser. On a GPU a step is recorded once and replayed (a CUDA graph): its some hundred kernels
    are short, and starting them one by one would take most of the time."""

    # Steps before the recording, as PyTorch asks for: they allocate what the optimiser keeps.
    WARM_UP = 5

    def __init__(self, net, optimiser, training, batch, k, share, power):
        self.net, self.optimiser, self.training = net, optimiser, training
        self.k, self.share, self.power = k, share, power
        device = training.own.device
        self.rows = torch.zeros(batch, dtype=torch.int64, device=device)
        self.total = torch.zeros((), device=device)
        self.graph, self.taken = None, 0
        self.stream = torch.cuda.Stream() if device.type == "cuda" else None

    def take(self, rows, rate):
        self.rows.copy_(rows)
        for group in self.optimiser.param_groups:
            if torch.is_tensor(group["lr"]):
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate
        if self.stream is None:
            self.step()
        elif self.graph is not None:
            self.graph.replay()
        elif self.taken < self.WARM_UP:
            self.stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(self.stream):
                self.step()
            torch.cuda.current_stream().wait_stream(self.stream)
        else:
            self.optimiser.zero_grad(set_to_none=True)
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.step()
            self.graph.replay()
        self.taken += 1

    def step(self):
        output = self.net(*self.training.inputs(self.rows))
        loss = loss_of(output, targets(self.training, self.rows, self.k, self.share), self.k, self.power)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.optimiser.step()
        self.net.clip()
        self.total += loss.detach()


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
        output = net(*positions.inputs(rows))
        loss = loss_of(output, targets(positions, rows, k, share), k, power)
        total += loss.item() * (rows.stop - rows.start)
    return total / positions.count


def centipawns(numbers, positions, count):
    """What the whole numbers say of some positions, for the side to move: the same that is played with."""
    hidden = numbers["inputs"].shape[1]
    # For each bucket its inputs, and a row of zeros for what is padded.
    tables = np.pad(numbers["inputs"].reshape(-1, INPUTS, hidden), ((0, 0), (0, 1), (0, 0)))
    units = []
    own, other, own_king, other_king, _ = positions.inputs(slice(0, count))
    for features, king in ((own, own_king), (other, other_king)):
        rows = tables[king.cpu().numpy()[:, None], features.cpu().numpy().astype(np.int64)]
        sums = rows.sum(1) + numbers["hidden_bias"]
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


def write_weights(path, numbers, request, note):
    """Writes the file that `crates/eval/src/nnue/file.rs` documents."""
    names = "inputs", "hidden_bias", "outputs"
    small = np.concatenate([numbers[name].reshape(-1) for name in names]).astype("<i2")
    large = numbers["output_bias"].astype("<i4").tobytes()
    data = small.tobytes() + large
    hidden, kings = request["hidden"], request["king_buckets"]
    document = {
        "format": "tabia-nnue/1", "inputs": len(numbers["inputs"]), "hidden": hidden, "buckets": request["buckets"],
        "activation": "screlu", "qa": QA, "qb": QB, "scale": SCALE, "note": note, "checksum": checksum(data),
    }
    if max(kings) > 0:
        document["king_buckets"] = kings
    if max(kings) > 0 or hidden != 256:
        # The short form: bytes, where -128 stands for a number that does not fit; those follow.
        elsewhere = (small < -127) | (small > 127)
        document["encoding"] = "i8"
        data = np.where(elsewhere, -128, small).astype("i1").tobytes() + small[elsewhere].tobytes() + large
    document["weights"] = base64.b64encode(data).decode()

    def write(part):
        with open(part, "w") as file:
            json.dump(document, file, indent=1)
            file.write("\n")

    write_atomically(path, write)


def read_weights(path):
    with open(path) as file:
        document = json.load(file)
    data, at, numbers = base64.b64decode(document["weights"]), 0, {}
    inputs, hidden, buckets = document["inputs"], document["hidden"], document["buckets"]
    shapes = ("inputs", (inputs, hidden)), ("hidden_bias", (hidden,)), ("outputs", (buckets, 2 * hidden))
    count = sum(math.prod(shape) for _, shape in shapes)
    large = np.frombuffer(data[-4 * buckets :], dtype="<i4")
    if document.get("encoding") == "i8":
        small = np.frombuffer(data[:count], dtype="i1").astype(np.int64)
        small[small == -128] = np.frombuffer(data[count : -4 * buckets], dtype="<i2")
    else:
        small = np.frombuffer(data[: 2 * count], dtype="<i2").astype(np.int64)
    for name, shape in shapes:
        numbers[name] = small[at : at + math.prod(shape)].reshape(shape)
        at += math.prod(shape)
    numbers["output_bias"] = large.astype(np.int64)
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
    kings = torch.tensor(request["king_buckets"], dtype=torch.uint8, device=device)
    training = Positions(request["training"], device, kings)
    validation = Positions(request["validation"], device, kings)
    net = Net(hidden, buckets, max(request["king_buckets"]) + 1, request["seed"], device.type == "cuda").to(device)
    if request["from"]:
        net.load_quantised(read_weights(request["from"]))
    k = request["steepness"] or fit_k(training)
    rate, options = request["rate"], {}
    if device.type == "cuda":
        # What a recorded step reads must be on the device.
        rate, options = torch.tensor(rate, device=device), {"fused": True, "capturable": True}
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=request["decay"], **options)
    steps = max(1, training.count // batch)
    state_path = os.path.join(request["run"], "state.pt")
    state = {"epoch": 0, "history": [], "best": None}
    if os.path.exists(state_path):
        state = torch.load(state_path, map_location=device)
        net.load_state_dict(state.pop("net"))
        kept = state.pop("optimiser")
        # How the optimiser works is up to this device, not to the one before the interruption.
        for group in kept["param_groups"]:
            group.update({"lr": rate, "fused": None, "capturable": False, **options})
        optimiser.load_state_dict(kept)
    name = torch.cuda.get_device_name() if device.type == "cuda" else f"{torch.get_num_threads()} threads"
    tell(device=f"PyTorch {torch.__version__}, {name}", positions=training.count, validation=validation.count, k=k,
         epoch=state["epoch"], before=judge(net, validation, k, share, power), seconds=time.time() - started)
    weights_path = os.path.join(request["run"], "weights.nnue")
    stepper = Steps(net, optimiser, training, min(batch, training.count), k, share, power)
    for epoch in range(state["epoch"], epochs):
        began = time.time()
        generator = torch.Generator(device=device).manual_seed(request["seed"] * 1_000_003 + epoch)
        order = torch.randperm(training.count, generator=generator, device=device)
        stepper.total.zero_()
        for step in range(steps):
            done = (epoch + step / steps) / epochs
            rate = request["final_rate"] + (request["rate"] - request["final_rate"]) * (1 + math.cos(math.pi * done)) / 2
            stepper.take(order[step * batch : (step + 1) * batch], rate)
        total = stepper.total.item()
        held_out = judge(net, validation, k, share, power)
        state["epoch"] = epoch + 1
        state["history"].append([total / steps, held_out])
        if state["best"] is None or held_out < state["best"]:
            state["best"] = held_out
            note = (f"learned from {training.count} positions, seed {request['seed']}, epoch {epoch + 1} of {epochs}: "
                    f"loss {total / steps:.6f}, {held_out:.6f} on games it has not seen, K {k:.6f}")
            write_weights(weights_path, net.quantised(), request, note)
        kept = dict(state, net=net.state_dict(), optimiser=optimiser.state_dict())
        write_atomically(state_path, lambda part: torch.save(kept, part))
        seconds = time.time() - began
        tell(epoch=epoch + 1, loss=total / steps, validation=held_out, rate=rate,
             positions_a_second=steps * batch / seconds)
    numbers = read_weights(weights_path)
    net.load_quantised(numbers)
    count = min(CHECKED, validation.count)
    tell(best=state["best"], quantised=judge(net, validation, k, share, power),
         centipawns=centipawns(numbers, validation, count), seconds=time.time() - started)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))

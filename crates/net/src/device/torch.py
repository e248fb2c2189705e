"""Inference and training of a network on PyTorch, for Tabia, connected by pipes.

Started by `--device cuda` and the like, one or more processes per device; reads requests from standard input, writes responses to
standard output.
The network is described by `architecture` (see architecture.rs); tensors travel as float32, one after another, in the
order of its parameters. Protocol: see device/protocol.rs.

On a GPU repeated work is recorded as CUDA graphs: launching its hundred small kernels one by one would take longer than
running them. All data is therefore in buffers of fixed sizes, padded where necessary.
"""

import signal

# A terminal sends Ctrl-C to all processes of a command, and so does a closed terminal its SIGHUP, or a service manager its
# SIGTERM. Tabia decides what is still computed, and ends this process by closing its standard input. Before the other imports,
# because PyTorch takes seconds.
for ending in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
    signal.signal(ending, signal.SIG_IGN)

import collections
import fcntl
import json
import os
import select
import struct
import sys

try:
    import numpy as np
    import torch
    import torch.nn.functional as F
except ImportError as error:
    sys.stderr.write(f"this Python has no PyTorch ({error})\n")
    sys.exit(3)

LOAD, INFER, LOAD_OPTIMISER, STEP, FETCH_OPTIMISER, GRADIENT, APPLY, FETCH_AVERAGE = 1, 2, 3, 4, 5, 6, 7, 8
# Numbers before the samples of a step: rate, decay, clip, averaging; samples with a policy and all samples of the batch.
STEP_NUMBERS, SAMPLE_NUMBERS = 4, 6
PLANES, SQUARES, MOVES = 28, 64, 146
# Input channels and move types per square, padded to whole vectors.
INPUTS, WIDTH = 32, 152
LIKELY, PIECE_PLANES, BRANCHES, WHITE = 1 << 15, 12, 24, 25
SCALE = 65535.0
EPSILON, BATCH_NORM_MOMENTUM = 1e-5, 0.05
BETA1, BETA2, ADAM_EPSILON = 0.9, 0.999, 1e-8
# Largest and smallest batch for inference, and the largest mean number of cells and moves per row.
MAX_ROWS, MIN_ROWS, CELLS_PER_ROW, MOVES_PER_ROW = 1024, 64, 72, 128
HEADER = struct.Struct("<7I")
PIPE = 1 << 20
# Requests of more bytes than this are read in place: networks and optimiser states have tens of megabytes.
LARGE = 4 << 20

request = json.loads(sys.argv[1])
where = request["device"]


def refuse(why):
    sys.stderr.write(f"{why}\n")
    sys.exit(3)


if where == "torch":
    where = "cuda" if torch.cuda.is_available() else "cpu"
device = torch.device(where)
on_gpu = device.type == "cuda"
if on_gpu:
    if not torch.cuda.is_available():
        refuse("PyTorch sees no CUDA device")
    seen = torch.cuda.device_count()
    if device.index is not None and device.index >= seen:
        refuse(f"PyTorch sees no {where}: there {'is only cuda:0' if seen == 1 else f'are cuda:0 to cuda:{seen - 1}'}")
    if device.index is not None:
        torch.cuda.set_device(device)
half = torch.float16 if on_gpu else torch.float32
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True
torch.backends.cudnn.benchmark = True
if not on_gpu:
    torch.set_num_threads(max(1, int(request["threads"])))

parameters = [(parameter["name"], parameter["shape"], parameter["role"]) for parameter in request["parameters"]]
names = [name for name, _, _ in parameters]
counts = [int(np.prod(shape)) for _, shape, _ in parameters]
trainable = [name for name, _, role in parameters if role not in ("mean", "variance")]
decaying = [name for name, _, role in parameters if role == "weight"]
architecture = request["architecture"]
dense_policy = architecture["policy"] != "convolution"
scalar_value = architecture["value"] == "scalar"
blocks = range(architecture["blocks"])
# Samples that are normalised together in training, as on the CPU.
ghost_batch = int(request["ghost_batch"])
# Training computes in bfloat16 on a GPU.
bfloat16 = on_gpu or bool(request["bfloat16"])


def unpack(numbers):
    """Float32 tensors by name, from one flat array."""
    parts, at = {}, 0
    for (name, shape, _), count in zip(parameters, counts):
        parts[name] = torch.from_numpy(numbers[at : at + count].copy()).reshape(shape).to(device)
        at += count
    return parts


def pack(parts):
    return b"".join(parts[name].detach().float().cpu().contiguous().numpy().tobytes() for name in names)


# Memory of all recorded graphs: what one needs only while it runs, the others use as well. There is a graph for every network and
# batch size. The condition: all are replayed on one stream, and a graph's result is copied on that stream before the next
# replay, which may overwrite it.
graph_memory = torch.cuda.graph_pool_handle() if on_gpu else None


def record(work):
    """Records `work` as a CUDA graph. It must have been warmed up before. The result is valid until any graph is replayed."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, pool=graph_memory):
        result = work()
    return graph, result


def warm(work, times=3):
    """Runs `work` a few times on a side stream, so that libraries choose their algorithms before a graph is recorded."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(times):
            work()
    torch.cuda.current_stream().wait_stream(side)


class Buffer:
    """Positions of a fixed batch size: sent to the device in one copy and expanded there."""

    def __init__(self, rows, cells, moves, samples=False):
        self.rows, self.samples = rows, samples
        self.sizes = [2 * rows, rows, cells, cells, rows, moves] + ([moves] if samples else [])
        self.starts = [sum(self.sizes[:at]) for at in range(len(self.sizes))]
        data = torch.zeros(sum(self.sizes), dtype=torch.int16)
        chances = torch.zeros((rows, 3))
        if on_gpu:
            data, chances = data.pin_memory(), chances.pin_memory()
        self.here, self.here_chances = data, chances
        self.data, self.wdl_data = data.numpy(), chances.numpy()
        self.there = data.to(device) if on_gpu else data
        self.chances = chances.to(device) if on_gpu else chances
        self.cell_numbers = torch.arange(cells, device=device)
        self.move_numbers = torch.arange(moves, device=device)
        # The extra row takes the padding.
        self.flat = torch.zeros((rows + 1) * SQUARES * INPUTS, dtype=torch.float32 if samples else half, device=device)
        # Outputs on the host, and the event after the copy to the device.
        # Value and draw probability of each row.
        self.values = torch.zeros((rows, 2), pin_memory=on_gpu)
        self.logits = torch.zeros(0 if samples else moves, pin_memory=on_gpu)
        self.sent = torch.cuda.Event() if on_gpu else None

    def fits(self, rows, cells, moves):
        return rows <= self.rows and cells <= self.sizes[2] and moves <= self.sizes[5]

    def fill(self, frames):
        if on_gpu:
            self.sent.synchronize()
        ends = list(self.starts)
        row = 0
        for frame in frames:
            at = 0
            if self.samples:
                start = 4 * SAMPLE_NUMBERS
                at = start + 12 * frame.rows
                some = np.frombuffer(frame.payload, np.float32, 3 * frame.rows, start)
                self.wdl_data[row : row + frame.rows] = some.reshape(-1, 3)
            data = np.frombuffer(frame.payload, np.int16, offset=at)
            sizes = (2 * frame.rows, frame.rows, frame.cells, frame.cells, frame.rows, frame.moves, frame.moves)
            start = 0
            for part, size in zip(range(len(ends)), sizes):
                end = ends[part]
                self.data[end : end + size] = data[start : start + size]
                ends[part] = end + size
                start += size
            row += frame.rows
        for part in (1, 4):
            self.data[ends[part] : self.starts[part] + self.rows] = 0
        if on_gpu:
            self.there.copy_(self.here, non_blocking=True)
            if self.samples:
                self.chances.copy_(self.here_chances, non_blocking=True)
            self.sent.record()

    def unfold(self):
        """The planes, one board per row; the row of each move, and its policy index."""
        # Unsigned 16-bit values.
        data = self.there.int() & 0xFFFF
        plain, cell_counts, places, numbers, move_counts, moves, *shares = data.split(self.sizes)
        rows = torch.searchsorted(torch.cumsum(cell_counts, 0), self.cell_numbers, right=True)
        likely = (places & LIKELY) != 0
        places = places & (LIKELY - 1)
        numbers = (numbers.float() / SCALE).to(self.flat.dtype)
        cells = (rows * SQUARES + places % SQUARES) * INPUTS + places // SQUARES
        self.flat.zero_()
        self.flat.scatter_(0, cells, numbers)
        # A piece that is more likely present than not has a one in its second plane; the others are written once more in place.
        likely_cells = torch.where(likely, cells + PIECE_PLANES, cells)
        self.flat.scatter_(0, likely_cells, torch.where(likely, torch.ones_like(numbers), numbers))
        boards = self.flat.view(-1, SQUARES, INPUTS)[: self.rows]
        plain = plain.view(-1, 2).float()
        boards[:, :, BRANCHES] = (plain[:, 0] / SCALE).to(boards.dtype)[:, None]
        boards[:, :, WHITE] = plain[:, 1].to(boards.dtype)[:, None]
        planes = boards.view(-1, 8, 8, INPUTS).permute(0, 3, 1, 2)
        move_rows = torch.searchsorted(torch.cumsum(move_counts, 0), self.move_numbers, right=True)
        return planes, move_rows, moves, shares[0].float() if shares else None


def spots(rows, moves, most):
    """Indices of the moves' logits; those of padding are arbitrary."""
    rows = rows.clamp(max=most - 1)
    if dense_policy:
        return rows * (SQUARES * MOVES) + moves
    return (rows * SQUARES + moves // MOVES) * WIDTH + moves % MOVES


def padded(weight):
    """The first layer's weights, for padded planes."""
    return F.pad(weight, (0, 0, 0, 0, 0, INPUTS - PLANES))


def heads(out, policy_layer, value_layer, parts):
    """All logits flattened, and the outputs of the value head."""
    if dense_policy:
        logits = F.linear(policy_layer(out).flatten(1), parts["policy.dense.weight"], parts["policy.dense.bias"])
    else:
        weight, bias = parts["policy.moves.weight"].flatten(1), parts["policy.moves.bias"]
        more = WIDTH - MOVES
        squares = out.permute(0, 2, 3, 1).reshape(-1, out.shape[1])
        logits = F.linear(squares, F.pad(weight, (0, 0, 0, more)), F.pad(bias, (0, more)))
    features = value_layer(out).flatten(1)
    hidden = F.relu(F.linear(features, parts["value.hidden.weight"], parts["value.hidden.bias"]))
    return logits.reshape(-1), F.linear(hidden, parts["value.out.weight"], parts["value.out.bias"])


ONES, NONE = (1, 1), (0, 0)


def convolve(board, weight, bias, add=None):
    """Convolution, optional residual, and ReLU, as one fused kernel on a GPU."""
    around = ONES if weight.shape[-1] == 3 else NONE
    if on_gpu and add is None:
        return torch.cudnn_convolution_relu(board, weight, bias, ONES, around, ONES, 1)
    if on_gpu:
        return torch.cudnn_convolution_add_relu(board, weight, add, 1.0, bias, ONES, around, ONES, 1)
    out = F.conv2d(board, weight, bias, padding=around)
    return F.relu(out if add is None else out + add)


class InferenceNetwork:
    """A network for inference: folded batch normalisation; half precision and CUDA graphs on a GPU."""

    def __init__(self):
        self.parts = None
        self.graphs = {}

    def load(self, weights):
        parts = {}
        for name in names:
            if ".norm." in name:
                continue
            tensor = weights[name]
            if name.endswith(".conv.weight"):
                layer = name[: -len(".conv.weight")]
                factor = weights[f"{layer}.norm.scale"] / torch.sqrt(weights[f"{layer}.norm.variance"] + EPSILON)
                tensor = tensor * factor[:, None, None, None]
                parts[f"{layer}.bias"] = (weights[f"{layer}.norm.bias"] - weights[f"{layer}.norm.mean"] * factor).to(half)
            if name == "input.conv.weight":
                tensor = padded(tensor)
            tensor = tensor.to(half)
            parts[name] = tensor.contiguous(memory_format=torch.channels_last) if tensor.dim() == 4 else tensor
        if self.parts is None:
            self.parts = parts
        else:
            # In place, so that recorded graphs use the new weights.
            for name, tensor in parts.items():
                self.parts[name].copy_(tensor)

    def layer(self, name, board, add=None):
        return convolve(board, self.parts[f"{name}.conv.weight"], self.parts[f"{name}.bias"], add)

    def forward(self, buffer, rows):
        planes, move_rows, moves, _ = buffer.unfold()
        board = self.layer("input", planes[:rows])
        for block in blocks:
            board = self.layer(f"block{block}.second", self.layer(f"block{block}.first", board), board)
        logits, outputs = heads(
            board, lambda out: self.layer("policy", out), lambda out: self.layer("value", out), self.parts
        )
        outputs = outputs.float()
        chances = torch.softmax(outputs, 1)
        values = torch.tanh(outputs[:, 0]) if scalar_value else chances[:, 0] - chances[:, 2]
        draws = torch.zeros_like(values) if scalar_value else chances[:, 1]
        return torch.stack([values, draws], 1), logits[spots(move_rows, moves, rows)].float()

    def answer(self, buffer, rows):
        """Values and logits of the positions in a buffer, to be copied before any graph is replayed (see `record`)."""
        if not on_gpu:
            return self.forward(buffer, rows)
        if buffer not in self.graphs:
            work = lambda: self.forward(buffer, buffer.rows)
            warm(work)
            self.graphs[buffer] = record(work)
        graph, result = self.graphs[buffer]
        graph.replay()
        return result


class Trainer:
    """Adam with weight decay, gradient-norm clipping and an exponential moving average of the weights."""

    def __init__(self):
        self.sets = None
        self.graphs = {}

    def load(self, steps, *sets):
        self.steps = steps
        if self.sets is None:
            self.sets = sets
            self.parts, self.averaged, self.first, self.second = sets
            for name in trainable:
                self.parts[name].requires_grad_(True)
            self.losses = torch.zeros(6, dtype=torch.float64, device=device)
            # Inputs of the recorded graphs that change from step to step.
            self.scales = torch.zeros(3, device=device)
            self.totals = torch.ones(2, device=device)
            # A gradient between two graphs, in the order of the parameters.
            self.flat = torch.zeros(sum(counts), device=device)
            return
        with torch.no_grad():
            for old, new in zip(self.sets, sets):
                for name in names:
                    old[name].copy_(new[name])

    def normalised(self, layer, board):
        parts = self.parts
        weight = parts[f"{layer}.conv.weight"]
        out = F.conv2d(board, padded(weight) if layer == "input" else weight, padding=weight.shape[-1] // 2)
        return self.ghost_norm(layer, out)

    def ghost_norm(self, layer, out):
        """Batch normalisation over ghost batches, each with its own statistics, whose mean over the batch is kept for the running ones."""
        parts, total = self.parts, self.totals[1]
        rows, channels = out.shape[:2]
        scale = parts[f"{layer}.norm.scale"].view(-1, 1, 1)
        bias = parts[f"{layer}.norm.bias"].view(-1, 1, 1)
        mean_sum, variance_sum, done = 0.0, 0.0, []
        whole = rows - rows % ghost_batch
        for board in (out[:whole], out[whole:]):
            if len(board) == 0:
                continue
            size = min(ghost_batch, len(board))
            ghosts = board.float().reshape(-1, size, channels, 8, 8)
            variance, mean = torch.var_mean(ghosts, dim=(1, 3, 4), correction=0, keepdim=True)
            # One factor and one addend per channel: each further operation would read and write the whole board, in both directions.
            factor = scale * torch.rsqrt(variance + EPSILON)
            done.append((ghosts * factor + (bias - mean * factor)).reshape(board.shape).to(out.dtype))
            mean_sum = mean_sum + mean.detach().sum(0).flatten() * (size / total)
            variance_sum = variance_sum + variance.detach().sum(0).flatten() * (size / total)
        self.statistics[f"{layer}.norm.mean"] = mean_sum
        self.statistics[f"{layer}.norm.variance"] = variance_sum
        return done[0] if len(done) == 1 else torch.cat(done)

    def gradients(self, buffer):
        """What these samples add to the batch's gradient and statistics, by parameter."""
        rows = buffer.rows
        self.statistics = {}
        planes, move_rows, moves, shares = buffer.unfold()
        with torch.autocast(device.type, torch.bfloat16, enabled=bfloat16, cache_enabled=False):
            board = F.relu(self.normalised("input", planes))
            for block in blocks:
                inner = F.relu(self.normalised(f"block{block}.first", board))
                board = F.relu(self.normalised(f"block{block}.second", inner) + board)
            relu = lambda layer: lambda out: F.relu(self.normalised(layer, out))
            logits, outputs = heads(board, relu("policy"), relu("value"), self.parts)
        # Softmax over the legal moves of each row. Padding is spread over extra rows, not collected in a single one:
        # atomic additions to one row would serialise.
        is_padding = move_rows >= rows
        move_rows = torch.where(is_padding, rows + buffer.move_numbers % rows, move_rows)
        logits = logits.float().gather(0, spots(move_rows, moves, rows))
        real = (~is_padding).float()
        each_row = torch.zeros(2 * rows, device=device)
        peak = each_row.scatter_reduce(0, move_rows, logits.detach(), "amax", include_self=False)[move_rows]
        total = each_row.index_add(0, move_rows, torch.exp(logits - peak))
        logs = logits - peak - torch.log(total)[move_rows]
        sums = each_row.index_add(0, move_rows, shares * real)
        target = shares * real / sums.clamp(min=1.0)[move_rows]
        policies = (sums > 0).sum()
        policy_sum = -(target * logs.clamp(min=-87.0)).sum()
        outputs = outputs.float()
        if scalar_value:
            value_each = (torch.tanh(outputs[:, 0]) - (buffer.chances[:, 0] - buffer.chances[:, 2])) ** 2
        else:
            value_each = -(buffer.chances * torch.log_softmax(outputs, 1)).sum(1)
        value_sum = value_each.sum()
        loss = policy_sum / self.totals[0].clamp(min=1) + request["value_weight"] * value_sum / self.totals[1]
        gradients = torch.autograd.grad(loss, [self.parts[name] for name in trainable])
        with torch.no_grad():
            most = each_row.scatter_reduce(0, move_rows, target, "amax")[move_rows]
            hits = each_row.index_add(0, move_rows, ((logits == peak) & (target == most)).float() * real).clamp(max=1)
            entropy = -(target * torch.log(target.clamp(min=1e-30))).sum()
            counted = [policy_sum, value_sum, policies, value_sum * 0 + rows, (hits * (sums > 0)).sum(), entropy]
            self.losses += torch.stack([number.detach().double() for number in counted])
        return {**self.statistics, **dict(zip(trainable, gradients))}

    def apply(self, found, decay, clip):
        """A step with a batch's gradient and statistics."""
        gradients = [found[name] for name in trainable]
        with torch.no_grad():
            for name in names:
                if name not in trainable:
                    self.parts[name].lerp_(found[name], BATCH_NORM_MOMENTUM)
            if clip > 0:
                length = torch.linalg.vector_norm(torch.stack(torch._foreach_norm(gradients)))
                torch._foreach_mul_(gradients, torch.clamp(clip / (length + 1e-12), max=1.0))
            tensors = [self.parts[name] for name in trainable]
            for at, name in enumerate(trainable):
                if name in decaying:
                    gradients[at] = gradients[at] + decay * tensors[at]
            first, second = [self.first[name] for name in trainable], [self.second[name] for name in trainable]
            torch._foreach_lerp_(first, gradients, 1 - BETA1)
            torch._foreach_mul_(second, BETA2)
            torch._foreach_addcmul_(second, gradients, gradients, 1 - BETA2)
            rate, age, follow = self.scales.unbind()
            roots = torch._foreach_mul(second, age)
            torch._foreach_sqrt_(roots)
            torch._foreach_add_(roots, ADAM_EPSILON)
            moves = torch._foreach_div(first, roots)
            torch._foreach_mul_(moves, rate)
            torch._foreach_sub_(tensors, moves)
            averaged = [self.averaged[name] for name in names]
            ways = torch._foreach_sub([self.parts[name].detach() for name in names], averaged)
            torch._foreach_mul_(ways, follow)
            torch._foreach_add_(averaged, ways)

    def run(self, key, work):
        """Runs `work`; on a GPU it is recorded the first time. It must depend on nothing but the key and tensors that stay where they are."""
        if not on_gpu:
            work()
            return
        if key not in self.graphs:
            state = [tensor for part in self.sets for tensor in part.values()] + [self.losses, self.flat]
            before = [tensor.detach().clone() for tensor in state]
            warm(work)
            self.graphs[key], _ = record(work)
            with torch.no_grad():
                for tensor, old in zip(state, before):
                    tensor.copy_(old)
        self.graphs[key].replay()

    def count_step(self, rate, averaging):
        self.steps += 1
        age = min(self.steps, 100_000)
        keep = min(averaging, self.steps / (self.steps + 10))
        self.scales.copy_(torch.tensor([rate / (1 - BETA1**age), 1 / (1 - BETA2**age), 1 - keep]))

    def step(self, buffer, numbers):
        """A step with a batch that is all here."""
        rate, decay, clip, averaging, policies, rows = numbers
        self.count_step(rate, averaging)
        self.totals.copy_(torch.tensor([policies, rows]))
        self.run(("step", buffer, decay, clip), lambda: self.apply(self.gradients(buffer), decay, clip))

    def gradient(self, buffer, numbers):
        """What a part of a batch adds to its gradient; `None` is a part without samples."""
        if buffer is None:
            self.flat.zero_()
        else:
            self.totals.copy_(torch.tensor(numbers[STEP_NUMBERS:]))

            def work():
                found = self.gradients(buffer)
                self.flat.copy_(torch.cat([found[name].detach().float().flatten() for name in names]))

            self.run(("gradient", buffer), work)
        return self.flat.cpu().numpy().tobytes()

    def step_with(self, payload):
        """A step with the gradient of a batch whose parts were on several devices."""
        rate, decay, clip, averaging = (float(number) for number in np.frombuffer(payload, np.float32, STEP_NUMBERS))
        self.count_step(rate, averaging)
        self.flat.copy_(torch.from_numpy(np.frombuffer(payload, np.float32, offset=4 * STEP_NUMBERS).copy()))

        def work():
            parts = [part.reshape(shape) for part, (_, shape, _) in zip(self.flat.split(counts), parameters)]
            # Clipping is in place, and a repeated run must find what came.
            self.apply({name: part.clone() for name, part in zip(names, parts)}, decay, clip)

        self.run(("apply", decay, clip), work)

    def take(self, sets):
        losses = self.losses.cpu().numpy().tobytes()
        self.losses.zero_()
        return struct.pack("<Q", self.steps) + losses + b"".join(pack(part) for part in sets)


class Frame:
    def __init__(self, head, payload):
        self.kind, self.id, self.network, self.rows, self.cells, self.moves, _ = head
        self.payload = payload


class Inbox:
    """Received requests. Read by the thread that processes them: a second thread would wait for the interpreter lock."""

    def __init__(self):
        self.frames = collections.deque()
        self.bytes = bytearray()
        self.open = True
        # A request too large to be collected in `bytes`: its header, its payload, and how much of that has come.
        self.large = None
        os.set_blocking(0, False)

    def fill(self, wait):
        """Takes what has arrived; waits for at least one request, or the end, if asked to."""
        if wait:
            select.select([0], [], [])
        while self.open and len(self.frames) < 1024:
            if self.large is not None and not self.fill_large():
                break
            try:
                some = os.read(0, PIPE)
            except BlockingIOError:
                break
            self.open = len(some) > 0
            self.bytes += some
            self.split()

    def split(self):
        """Divides what has come into requests."""
        at = 0
        while self.large is None and len(self.bytes) - at >= HEADER.size:
            head = HEADER.unpack_from(self.bytes, at)
            end = at + HEADER.size + head[-1]
            if end <= len(self.bytes):
                self.frames.append(Frame(head, bytes(self.bytes[at + HEADER.size : end])))
            elif head[-1] < LARGE:
                break
            else:
                payload, come = bytearray(head[-1]), len(self.bytes) - at - HEADER.size
                payload[:come] = self.bytes[at + HEADER.size :]
                self.large = [head, payload, come]
                end = len(self.bytes)
            at = end
        del self.bytes[:at]

    def fill_large(self):
        """Takes what has come of a large request straight to its place; returns whether it is complete."""
        head, payload, come = self.large
        with memoryview(payload) as view:
            while self.open and come < len(payload):
                try:
                    count = os.readv(0, [view[come:]])
                except BlockingIOError:
                    break
                self.open = count > 0
                come += count
        self.large = [head, payload, come]
        if come < len(payload):
            return False
        self.frames.append(Frame(head, payload))
        self.large = None
        return True


for end in (0, 1):
    try:
        fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, PIPE)
    except (OSError, AttributeError):
        pass  # Slower, but equivalent.
out = os.fdopen(os.dup(1), "wb", buffering=1 << 20)
# Libraries may print to standard output, which is the protocol's: give them standard error.
os.dup2(2, 1)


def reply(id, payload):
    out.write(struct.pack("<2I", id, len(payload)))
    out.write(payload)


class BufferPool:
    """Buffers by size, two of each: one is filled while the other is in flight."""

    def __init__(self, samples):
        self.samples, self.known, self.turn = samples, {}, 0

    def take(self, rows, cells, moves):
        size = MIN_ROWS
        # Powers of two, and one size between each two: what is padded is computed too.
        while size < rows or size * CELLS_PER_ROW < cells or size * MOVES_PER_ROW < moves:
            size = size * 3 // 2 if size & (size - 1) == 0 else size // 3 * 4
        self.turn = 1 - self.turn
        key = (rows if self.samples else size, size, self.turn)
        if key not in self.known:
            self.known[key] = Buffer(key[0], size * CELLS_PER_ROW, size * MOVES_PER_ROW, self.samples)
        return self.known[key]


class Pending:
    """A response in flight from the device."""

    def __init__(self, frames, buffer, values, logits):
        self.frames, self.buffer = frames, buffer
        rows, moves = sum(frame.rows for frame in frames), sum(frame.moves for frame in frames)
        buffer.values[:rows].copy_(values[:rows], non_blocking=True)
        buffer.logits[:moves].copy_(logits[:moves], non_blocking=True)
        self.done = torch.cuda.Event() if on_gpu else None
        if on_gpu:
            self.done.record()

    def finish(self):
        if on_gpu:
            self.done.synchronize()
        values, logits = self.buffer.values.numpy(), self.buffer.logits.numpy()
        row = move = 0
        for frame in self.frames:
            reply(
                frame.id,
                values[row : row + frame.rows].tobytes() + logits[move : move + frame.moves].tobytes(),
            )
            row += frame.rows
            move += frame.moves
        out.flush()


def batch_with(inbox, first):
    """This evaluation request and those behind it that fit into the same batch."""
    frames, rows, cells, moves = [first], first.rows, first.cells, first.moves
    # Requests for other networks, as in matches, are passed over; only evaluations may be overtaken.
    passed = []
    while inbox.frames and inbox.frames[0].kind == INFER:
        other = inbox.frames.popleft()
        if other.network != first.network:
            passed.append(other)
            continue
        rows, cells, moves = rows + other.rows, cells + other.cells, moves + other.moves
        if rows > MAX_ROWS or cells > MAX_ROWS * CELLS_PER_ROW or moves > MAX_ROWS * MOVES_PER_ROW:
            passed.append(other)
            break
        frames.append(other)
    inbox.frames.extendleft(reversed(passed))
    return frames


def main():
    inbox = Inbox()
    networks, trainer = {}, Trainer()
    inference_buffers, sample_buffers = BufferPool(False), BufferPool(True)
    name = torch.cuda.get_device_name() if on_gpu else "the CPU"
    reply(0, f"PyTorch {torch.__version__} on {name}".encode())
    out.flush()
    pending = None
    while True:
        inbox.fill(wait=False)
        if not inbox.frames:
            if pending is not None:
                pending.finish()
                pending = None
            elif inbox.open:
                inbox.fill(wait=True)
            else:
                return
            continue
        frame = inbox.frames.popleft()
        if frame.kind == INFER:
            frames = batch_with(inbox, frame)
            rows, cells, moves = (sum(getattr(f, part) for f in frames) for part in ("rows", "cells", "moves"))
            with torch.inference_mode():
                buffer = inference_buffers.take(rows, cells, moves)
                buffer.fill(frames)
                now = Pending(frames, buffer, *networks[frame.network].answer(buffer, rows))
            if pending is not None:
                pending.finish()
            pending = now
            continue
        if pending is not None:
            pending.finish()
            pending = None
        if frame.kind == LOAD:
            with torch.no_grad():
                networks.setdefault(frame.network, InferenceNetwork()).load(unpack(np.frombuffer(frame.payload, np.float32)))
        elif frame.kind == LOAD_OPTIMISER:
            steps = struct.unpack_from("<Q", frame.payload)[0]
            numbers = np.frombuffer(frame.payload, np.float32, offset=8).reshape(4, -1)
            trainer.load(steps, *(unpack(part) for part in numbers))
        elif frame.kind in (STEP, GRADIENT):
            numbers = [float(number) for number in np.frombuffer(frame.payload, np.float32, SAMPLE_NUMBERS)]
            buffer = sample_buffers.take(frame.rows, frame.cells, frame.moves) if frame.rows else None
            if buffer is not None:
                buffer.fill([frame])
            if frame.kind == GRADIENT:
                reply(frame.id, trainer.gradient(buffer, numbers))
                out.flush()
            elif buffer is not None:
                trainer.step(buffer, numbers)
        elif frame.kind == APPLY:
            trainer.step_with(frame.payload)
        elif frame.kind in (FETCH_OPTIMISER, FETCH_AVERAGE):
            reply(frame.id, trainer.take(trainer.sets if frame.kind == FETCH_OPTIMISER else [trainer.averaged]))
            out.flush()


main()

"""The arithmetic of a network on PyTorch, for a Tabia that talks to it through pipes.

Started by `tabia quantum train --device cuda`; reads frames from standard input, writes answers to standard output.
The network is described by `architecture` (see architecture.rs); tensors travel as float32, one after another, in the
order of its slots. Frames: see device/frames.rs.

On a GPU whatever is done often is recorded once and then replayed as a whole: launching its hundred small steps one by
one would take longer than doing them. So everything lives in trays of fixed sizes, and what does not fill one is padding.
"""

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

LOAD, ANSWER, LEARN, STEP, TAKE = 1, 2, 3, 4, 5
PLANES, SQUARES, MOVES = 28, 64, 146
# Channels and kinds of moves as they are calculated with, padded to whole vectors.
INPUTS, WIDTH = 32, 152
LIKELY, PIECE_PLANES, BRANCHES, WHITE = 1 << 15, 12, 24, 25
WHOLE = 65535.0
EPSILON, LATEST = 1e-5, 0.05
MOMENTUM, MEMORY, LEAST = 0.9, 0.999, 1e-8
# Rows that are answered together at most, and what a row has on average at most.
MOST, LEAST_ROWS, CELLS_EACH, MOVES_EACH = 1024, 64, 72, 128
HEAD = struct.Struct("<7I")
PIPE = 1 << 20

request = json.loads(sys.argv[1])
where = request["device"]
if where == "cuda" and not torch.cuda.is_available():
    sys.stderr.write("PyTorch sees no CUDA device\n")
    sys.exit(3)
if where == "torch":
    where = "cuda" if torch.cuda.is_available() else "cpu"
device = torch.device(where)
on_gpu = where == "cuda"
half = torch.float16 if on_gpu else torch.float32
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True
torch.backends.cudnn.benchmark = True
if not on_gpu:
    torch.set_num_threads(max(1, int(request["threads"])))

slots = [(slot["name"], slot["shape"], slot["role"]) for slot in request["slots"]]
names = [name for name, _, _ in slots]
counts = [int(np.prod(shape)) for _, shape, _ in slots]
learned = [name for name, _, role in slots if role not in ("mean", "variance")]
decaying = [name for name, _, role in slots if role == "weight"]
architecture = request["architecture"]
dense_policy = architecture["policy"] != "convolution"
scalar_value = architecture["value"] == "scalar"
blocks = range(architecture["blocks"])


def unpack(numbers):
    """Float32 tensors by name, from one flat array."""
    parts, at = {}, 0
    for (name, shape, _), count in zip(slots, counts):
        parts[name] = torch.from_numpy(numbers[at : at + count].copy()).reshape(shape).to(device)
        at += count
    return parts


def pack(parts):
    return b"".join(parts[name].detach().float().cpu().contiguous().numpy().tobytes() for name in names)


def record(work):
    """What `work` does and returns, to be replayed. It must have been done before."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = work()
    return graph, result


def warm(work, times=3):
    """Does something a few times where it does not disturb: libraries make up their minds before anything is recorded."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(times):
            work()
    torch.cuda.current_stream().wait_stream(side)


class Tray:
    """Positions as they travel, sent in one piece and unfolded over there: what is on the board, and the legal moves."""

    def __init__(self, rows, cells, moves, lessons=False):
        self.rows, self.lessons = rows, lessons
        self.sizes = [2 * rows, rows, cells, cells, rows, moves] + ([moves] if lessons else [])
        self.starts = [sum(self.sizes[:at]) for at in range(len(self.sizes))]
        words = torch.zeros(sum(self.sizes), dtype=torch.int16)
        chances = torch.zeros((rows, 3))
        if on_gpu:
            words, chances = words.pin_memory(), chances.pin_memory()
        self.here, self.here_chances = words, chances
        self.words, self.chance_words = words.numpy(), chances.numpy()
        self.there = words.to(device) if on_gpu else words
        self.chances = chances.to(device) if on_gpu else chances
        self.cell_numbers = torch.arange(cells, device=device)
        self.move_numbers = torch.arange(moves, device=device)
        # The last row takes what is padding.
        self.flat = torch.zeros((rows + 1) * SQUARES * INPUTS, dtype=torch.float32 if lessons else half, device=device)
        # What comes back, and when what was sent has arrived.
        self.values = torch.zeros(rows, pin_memory=on_gpu)
        self.logits = torch.zeros(0 if lessons else moves, pin_memory=on_gpu)
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
            if self.lessons:
                frame.numbers = np.frombuffer(frame.payload, np.float32, 4)
                at = 16 + 12 * frame.rows
                some = np.frombuffer(frame.payload, np.float32, 3 * frame.rows, 16)
                self.chance_words[row : row + frame.rows] = some.reshape(-1, 3)
            words = np.frombuffer(frame.payload, np.int16, offset=at)
            sizes = (2 * frame.rows, frame.rows, frame.cells, frame.cells, frame.rows, frame.moves, frame.moves)
            start = 0
            for part, size in zip(range(len(ends)), sizes):
                end = ends[part]
                self.words[end : end + size] = words[start : start + size]
                ends[part] = end + size
                start += size
            row += frame.rows
        for part in (1, 4):
            self.words[ends[part] : self.starts[part] + self.rows] = 0
        if on_gpu:
            self.there.copy_(self.here, non_blocking=True)
            if self.lessons:
                self.chances.copy_(self.here_chances, non_blocking=True)
            self.sent.record()

    def unfold(self):
        """The planes, one board a row; the row of each move, and its number."""
        # Sixteen bits without a sign.
        words = self.there.int() & 0xFFFF
        plain, cell_counts, places, numbers, move_counts, moves, *shares = words.split(self.sizes)
        rows = torch.searchsorted(torch.cumsum(cell_counts, 0), self.cell_numbers, right=True)
        likely = (places & LIKELY) != 0
        places = places & (LIKELY - 1)
        numbers = (numbers.float() / WHOLE).to(self.flat.dtype)
        cells = (rows * SQUARES + places % SQUARES) * INPUTS + places // SQUARES
        self.flat.zero_()
        self.flat.scatter_(0, cells, numbers)
        # A piece that is likelier there than not has a one in its twin plane; the others are written where they are once more.
        twins = torch.where(likely, cells + PIECE_PLANES, cells)
        self.flat.scatter_(0, twins, torch.where(likely, torch.ones_like(numbers), numbers))
        boards = self.flat.view(-1, SQUARES, INPUTS)[: self.rows]
        plain = plain.view(-1, 2).float()
        boards[:, :, BRANCHES] = (plain[:, 0] / WHOLE).to(boards.dtype)[:, None]
        boards[:, :, WHITE] = plain[:, 1].to(boards.dtype)[:, None]
        planes = boards.view(-1, 8, 8, INPUTS).permute(0, 3, 1, 2)
        move_rows = torch.searchsorted(torch.cumsum(move_counts, 0), self.move_numbers, right=True)
        return planes, move_rows, moves, shares[0].float() if shares else None


def spots(rows, moves, most):
    """Where the logits of moves are among all of them; padding is somewhere."""
    rows = rows.clamp(max=most - 1)
    if dense_policy:
        return rows * (SQUARES * MOVES) + moves
    return (rows * SQUARES + moves // MOVES) * WIDTH + moves % MOVES


def padded(weight):
    """The first layer's weights, for padded planes."""
    return F.pad(weight, (0, 0, 0, 0, 0, INPUTS - PLANES))


def heads(out, policy_layer, value_layer, parts):
    """All logits in one row, and what the value head says."""
    if dense_policy:
        logits = F.linear(policy_layer(out).flatten(1), parts["policy.dense.weight"], parts["policy.dense.bias"])
    else:
        weight, bias = parts["policy.moves.weight"].flatten(1), parts["policy.moves.bias"]
        more = WIDTH - MOVES
        squares = out.permute(0, 2, 3, 1).reshape(-1, out.shape[1])
        logits = F.linear(squares, F.pad(weight, (0, 0, 0, more)), F.pad(bias, (0, more)))
    seen = value_layer(out).flatten(1)
    hidden = F.relu(F.linear(seen, parts["value.hidden.weight"], parts["value.hidden.bias"]))
    return logits.reshape(-1), F.linear(hidden, parts["value.out.weight"], parts["value.out.bias"])


ONES, NONE = (1, 1), (0, 0)


def convolve(board, weight, bias, add=None):
    """Convolution, what is added, and a cut at nought: in one piece where there is one for it."""
    around = ONES if weight.shape[-1] == 3 else NONE
    if on_gpu and add is None:
        return torch.cudnn_convolution_relu(board, weight, bias, ONES, around, ONES, 1)
    if on_gpu:
        return torch.cudnn_convolution_add_relu(board, weight, add, 1.0, bias, ONES, around, ONES, 1)
    out = F.conv2d(board, weight, bias, padding=around)
    return F.relu(out if add is None else out + add)


class Player:
    """A network that answers: normalisation folded in, half precision and recorded graphs on a GPU."""

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
            # In place, so that recorded graphs see the new numbers.
            for name, tensor in parts.items():
                self.parts[name].copy_(tensor)

    def layer(self, name, board, add=None):
        return convolve(board, self.parts[f"{name}.conv.weight"], self.parts[f"{name}.bias"], add)

    def forward(self, tray, rows):
        planes, move_rows, moves, _ = tray.unfold()
        board = self.layer("input", planes[:rows])
        for block in blocks:
            board = self.layer(f"block{block}.second", self.layer(f"block{block}.first", board), board)
        logits, said = heads(
            board, lambda out: self.layer("policy", out), lambda out: self.layer("value", out), self.parts
        )
        said = said.float()
        chances = torch.softmax(said, 1)
        values = torch.tanh(said[:, 0]) if scalar_value else chances[:, 0] - chances[:, 2]
        return values, logits[spots(move_rows, moves, rows)].float()

    def answer(self, tray, rows):
        """Values and logits of what is in a tray."""
        if not on_gpu:
            return self.forward(tray, rows)
        if tray not in self.graphs:
            work = lambda: self.forward(tray, tray.rows)
            warm(work)
            self.graphs[tray] = record(work)
        graph, result = self.graphs[tray]
        graph.replay()
        return result


class Learner:
    """Weights being learned: Adam with weight decay, slopes cut to a length, and averaged weights."""

    def __init__(self):
        self.sets = None
        self.graphs = {}

    def load(self, steps, *sets):
        self.steps = steps
        if self.sets is None:
            self.sets = sets
            self.parts, self.averaged, self.first, self.second = sets
            for name in learned:
                self.parts[name].requires_grad_(True)
            self.losses = torch.zeros(6, dtype=torch.float64, device=device)
            # What differs from step to step.
            self.scales = torch.zeros(3, device=device)
            return
        with torch.no_grad():
            for old, new in zip(self.sets, sets):
                for name in names:
                    old[name].copy_(new[name])

    def normalised(self, layer, board):
        parts = self.parts
        weight = parts[f"{layer}.conv.weight"]
        out = F.conv2d(board, padded(weight) if layer == "input" else weight, padding=weight.shape[-1] // 2)
        return F.batch_norm(
            out,
            parts[f"{layer}.norm.mean"],
            parts[f"{layer}.norm.variance"],
            parts[f"{layer}.norm.scale"],
            parts[f"{layer}.norm.bias"],
            training=True,
            momentum=LATEST,
            eps=EPSILON,
        )

    def slopes(self, tray):
        rows = tray.rows
        planes, move_rows, moves, shares = tray.unfold()
        with torch.autocast("cuda", torch.bfloat16, enabled=on_gpu, cache_enabled=False):
            board = F.relu(self.normalised("input", planes))
            for block in blocks:
                inner = F.relu(self.normalised(f"block{block}.first", board))
                board = F.relu(self.normalised(f"block{block}.second", inner) + board)
            relu = lambda layer: lambda out: F.relu(self.normalised(layer, out))
            logits, said = heads(board, relu("policy"), relu("value"), self.parts)
        # Only legal moves, each with the others of its row. Padding gets rows of its own after the last, not a single one:
        # sums over one row from everywhere would have to wait for one another.
        is_padding = move_rows >= rows
        move_rows = torch.where(is_padding, rows + tray.move_numbers % rows, move_rows)
        logits = logits.float().gather(0, spots(move_rows, moves, rows))
        real = (~is_padding).float()
        each_row = torch.zeros(2 * rows, device=device)
        peak = each_row.scatter_reduce(0, move_rows, logits.detach(), "amax", include_self=False)[move_rows]
        total = each_row.index_add(0, move_rows, torch.exp(logits - peak))
        logs = logits - peak - torch.log(total)[move_rows]
        sums = each_row.index_add(0, move_rows, shares * real)
        wanted = shares * real / sums.clamp(min=1.0)[move_rows]
        policies = (sums > 0).sum()
        policy_sum = -(wanted * logs.clamp(min=-87.0)).sum()
        said = said.float()
        if scalar_value:
            value_each = (torch.tanh(said[:, 0]) - (tray.chances[:, 0] - tray.chances[:, 2])) ** 2
        else:
            value_each = -(tray.chances * torch.log_softmax(said, 1)).sum(1)
        value_sum = value_each.sum()
        loss = policy_sum / policies.clamp(min=1) + request["value_weight"] * value_sum / rows
        slopes = torch.autograd.grad(loss, [self.parts[name] for name in learned])
        with torch.no_grad():
            most = each_row.scatter_reduce(0, move_rows, wanted, "amax")[move_rows]
            hits = each_row.index_add(0, move_rows, ((logits == peak) & (wanted == most)).float() * real).clamp(max=1)
            entropy = -(wanted * torch.log(wanted.clamp(min=1e-30))).sum()
            counted = [policy_sum, value_sum, policies, value_sum * 0 + rows, (hits * (sums > 0)).sum(), entropy]
            self.losses += torch.stack([number.detach().double() for number in counted])
        return list(slopes)

    def work(self, tray, decay, clip):
        slopes = self.slopes(tray)
        with torch.no_grad():
            if clip > 0:
                length = torch.linalg.vector_norm(torch.stack(torch._foreach_norm(slopes)))
                torch._foreach_mul_(slopes, torch.clamp(clip / (length + 1e-12), max=1.0))
            tensors = [self.parts[name] for name in learned]
            for at, name in enumerate(learned):
                if name in decaying:
                    slopes[at] = slopes[at] + decay * tensors[at]
            first, second = [self.first[name] for name in learned], [self.second[name] for name in learned]
            torch._foreach_lerp_(first, slopes, 1 - MOMENTUM)
            torch._foreach_mul_(second, MEMORY)
            torch._foreach_addcmul_(second, slopes, slopes, 1 - MEMORY)
            rate, age, follow = self.scales.unbind()
            roots = torch._foreach_mul(second, age)
            torch._foreach_sqrt_(roots)
            torch._foreach_add_(roots, LEAST)
            moves = torch._foreach_div(first, roots)
            torch._foreach_mul_(moves, rate)
            torch._foreach_sub_(tensors, moves)
            averaged = [self.averaged[name] for name in names]
            ways = torch._foreach_sub([self.parts[name].detach() for name in names], averaged)
            torch._foreach_mul_(ways, follow)
            torch._foreach_add_(averaged, ways)

    def step(self, tray, rate, decay, clip, averaging):
        self.steps += 1
        age = min(self.steps, 100_000)
        keep = min(averaging, self.steps / (self.steps + 10))
        scales = [rate / (1 - MOMENTUM**age), 1 / (1 - MEMORY**age), 1 - keep]
        self.scales.copy_(torch.tensor(scales))
        work = lambda: self.work(tray, decay, clip)
        if not on_gpu:
            work()
            return
        key = (tray, decay, clip)
        if key not in self.graphs:
            state = [tensor for part in self.sets for tensor in part.values()] + [self.losses]
            before = [tensor.detach().clone() for tensor in state]
            warm(work)
            self.graphs[key], _ = record(work)
            with torch.no_grad():
                for tensor, old in zip(state, before):
                    tensor.copy_(old)
        self.graphs[key].replay()

    def take(self):
        losses = self.losses.cpu().numpy().tobytes()
        self.losses.zero_()
        return struct.pack("<Q", self.steps) + losses + b"".join(pack(part) for part in self.sets)


class Frame:
    def __init__(self, head, payload):
        self.kind, self.lane, self.player, self.rows, self.cells, self.moves, _ = head
        self.payload = payload


class Inbox:
    """Frames that have come. Read by the thread that works on them: a second one would wait for its turn too long."""

    def __init__(self):
        self.frames = collections.deque()
        self.bytes = bytearray()
        self.open = True
        os.set_blocking(0, False)

    def fill(self, wait):
        """Takes what has come; waits for at least something, or the end, if that is wanted."""
        if wait:
            select.select([0], [], [])
        while self.open and len(self.frames) < 1024:
            try:
                some = os.read(0, PIPE)
            except BlockingIOError:
                break
            self.open = len(some) > 0
            self.bytes += some
        at = 0
        while len(self.bytes) - at >= HEAD.size:
            head = HEAD.unpack_from(self.bytes, at)
            end = at + HEAD.size + head[-1]
            if end > len(self.bytes):
                break
            self.frames.append(Frame(head, bytes(self.bytes[at + HEAD.size : end])))
            at = end
        del self.bytes[:at]


for end in (0, 1):
    try:
        fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, PIPE)
    except (OSError, AttributeError):
        pass  # Slower, but the same.
out = os.fdopen(os.dup(1), "wb", buffering=1 << 20)
# What libraries print is no answer.
os.dup2(2, 1)


def reply(lane, payload):
    out.write(struct.pack("<2I", lane, len(payload)))
    out.write(payload)


class Trays:
    """Trays that were needed so far, two of each kind: one is filled while the other is on its way."""

    def __init__(self, lessons):
        self.lessons, self.known, self.turn = lessons, {}, 0

    def take(self, rows, cells, moves):
        size = LEAST_ROWS
        while size < rows or size * CELLS_EACH < cells or size * MOVES_EACH < moves:
            size *= 2
        self.turn = 1 - self.turn
        key = (rows if self.lessons else size, size, self.turn)
        if key not in self.known:
            self.known[key] = Tray(key[0], size * CELLS_EACH, size * MOVES_EACH, self.lessons)
        return self.known[key]


class Pending:
    """An answer on its way from the device."""

    def __init__(self, frames, tray, values, logits):
        self.frames, self.tray = frames, tray
        rows, moves = sum(frame.rows for frame in frames), sum(frame.moves for frame in frames)
        tray.values[:rows].copy_(values[:rows], non_blocking=True)
        tray.logits[:moves].copy_(logits[:moves], non_blocking=True)
        self.done = torch.cuda.Event() if on_gpu else None
        if on_gpu:
            self.done.record()

    def finish(self):
        if on_gpu:
            self.done.synchronize()
        values, logits = self.tray.values.numpy(), self.tray.logits.numpy()
        row = move = 0
        for frame in self.frames:
            reply(
                frame.lane,
                values[row : row + frame.rows].tobytes() + logits[move : move + frame.moves].tobytes(),
            )
            row += frame.rows
            move += frame.moves
        out.flush()


def together(inbox, first):
    """Questions that are answered with this one."""
    frames, rows, cells, moves = [first], first.rows, first.cells, first.moves
    while inbox.frames:
        other = inbox.frames[0]
        rows, cells, moves = rows + other.rows, cells + other.cells, moves + other.moves
        fits = rows <= MOST and cells <= MOST * CELLS_EACH and moves <= MOST * MOVES_EACH
        if other.kind != ANSWER or other.player != first.player or not fits:
            break
        frames.append(inbox.frames.popleft())
    return frames


def main():
    inbox = Inbox()
    players, learner = {}, Learner()
    questions, lessons = Trays(False), Trays(True)
    name = torch.cuda.get_device_name() if on_gpu else "the processor"
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
        if frame.kind == ANSWER:
            frames = together(inbox, frame)
            rows, cells, moves = (sum(getattr(f, part) for f in frames) for part in ("rows", "cells", "moves"))
            with torch.inference_mode():
                tray = questions.take(rows, cells, moves)
                tray.fill(frames)
                now = Pending(frames, tray, *players[frame.player].answer(tray, rows))
            if pending is not None:
                pending.finish()
            pending = now
            continue
        if pending is not None:
            pending.finish()
            pending = None
        if frame.kind == LOAD:
            with torch.no_grad():
                players.setdefault(frame.player, Player()).load(unpack(np.frombuffer(frame.payload, np.float32)))
        elif frame.kind == LEARN:
            steps = struct.unpack_from("<Q", frame.payload)[0]
            numbers = np.frombuffer(frame.payload, np.float32, offset=8).reshape(4, -1)
            learner.load(steps, *(unpack(part) for part in numbers))
        elif frame.kind == STEP:
            tray = lessons.take(frame.rows, frame.cells, frame.moves)
            tray.fill([frame])
            rate, decay, clip, averaging = (float(number) for number in frame.numbers)
            learner.step(tray, rate, decay, clip, averaging)
        elif frame.kind == TAKE:
            reply(frame.lane, learner.take())
            out.flush()


main()

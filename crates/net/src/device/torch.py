"""The arithmetic of a network on PyTorch, for a Tabia that talks to it through pipes.

Started by `tabia quantum train --device cuda`; reads frames from standard input, writes answers to standard output.
The network is described by `architecture` (see architecture.rs); tensors travel as float32, one after another, in the
order of its slots. Frames: see device/frames.rs.
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
PLANES, SQUARES, MOVES, ACTIONS = 28, 64, 146, 9344
LIKELY, PIECE_PLANES, BRANCHES, WHITE = 1 << 15, 12, 24, 25
WHOLE = 65535.0
EPSILON, LATEST = 1e-5, 0.05
MOMENTUM, MEMORY, LEAST = 0.9, 0.999, 1e-8
SIZES = (64, 128, 256, 512, 1024)
MOST = SIZES[-1]
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
architecture = request["architecture"]
dense_policy = architecture["policy"] != "convolution"
scalar_value = architecture["value"] == "scalar"
tower = ["input"] + [f"block{b}.{part}" for b in range(architecture["blocks"]) for part in ("first", "second")]


def unpack(numbers):
    """Float32 tensors by name, from one flat array."""
    parts, at = {}, 0
    for (name, shape, _), count in zip(slots, counts):
        parts[name] = torch.from_numpy(numbers[at : at + count].copy()).reshape(shape).to(device)
        at += count
    return parts


def pack(parts):
    return b"".join(parts[name].detach().float().cpu().contiguous().numpy().tobytes() for name in names)


def heads(out, policy_layer, value_layer, parts):
    """Logits `[row, action]` and what the value head says."""
    if dense_policy:
        logits = F.linear(F.relu(policy_layer(out)).flatten(1), parts["policy.dense.weight"], parts["policy.dense.bias"])
    else:
        logits = F.conv2d(out, parts["policy.moves.weight"], parts["policy.moves.bias"])
        logits = logits.permute(0, 2, 3, 1).reshape(out.shape[0], ACTIONS)
    seen = F.relu(value_layer(out)).flatten(1)
    hidden = F.relu(F.linear(seen, parts["value.hidden.weight"], parts["value.hidden.bias"]))
    return logits, F.linear(hidden, parts["value.out.weight"], parts["value.out.bias"])


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
            tensor = tensor.to(half)
            parts[name] = tensor.contiguous(memory_format=torch.channels_last) if tensor.dim() == 4 else tensor
        if self.parts is None:
            self.parts = parts
        else:
            # In place, so that recorded graphs see the new numbers.
            for name, tensor in parts.items():
                self.parts[name].copy_(tensor)

    def convolve(self, layer, board):
        weight = self.parts[f"{layer}.conv.weight"]
        return F.conv2d(board, weight, self.parts[f"{layer}.bias"], padding=weight.shape[-1] // 2)

    def forward(self, planes):
        board = F.relu(self.convolve("input", planes))
        for block in range(architecture["blocks"]):
            inner = F.relu(self.convolve(f"block{block}.first", board))
            board = F.relu(self.convolve(f"block{block}.second", inner) + board)
        logits, said = heads(
            board, lambda out: self.convolve("policy", out), lambda out: self.convolve("value", out), self.parts
        )
        said = said.float()
        if scalar_value:
            return logits, torch.tanh(said[:, 0])
        chances = torch.softmax(said, 1)
        return logits, chances[:, 0] - chances[:, 2]

    def answer(self, planes, rows):
        """Logits and values of the first rows of a buffer of planes."""
        if not on_gpu:
            return self.forward(planes[:rows])
        size = next(size for size in SIZES if size >= rows)
        if size not in self.graphs:
            still = planes[:size].clone(memory_format=torch.channels_last)
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                for _ in range(3):
                    self.forward(still)
            torch.cuda.current_stream().wait_stream(side)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                out = self.forward(still)
            self.graphs[size] = (graph, still, out)
        graph, still, out = self.graphs[size]
        still.copy_(planes[:size])
        graph.replay()
        return out


class Batch:
    """Positions as they travel: what is on the board, and the moves that are legal. Sent in one piece, unfolded over there."""

    def __init__(self, frames, with_shares=False):
        self.rows = sum(frame.rows for frame in frames)
        parts = [[] for _ in range(7 if with_shares else 6)]
        chances = []
        for frame in frames:
            at = 0
            if with_shares:
                frame.numbers = np.frombuffer(frame.payload, np.float32, 4)
                chances.append(np.frombuffer(frame.payload, np.float32, 3 * frame.rows, 16))
                at = 16 + chances[-1].nbytes
            sizes = (2 * frame.rows, frame.rows, frame.cells, frame.cells, frame.rows, frame.moves, frame.moves)
            words = np.frombuffer(frame.payload, np.int16, offset=at)
            start = 0
            for part, size in zip(parts, sizes):
                part.append(words[start : start + size])
                start += size
        self.move_counts = np.concatenate(parts[4]).view(np.uint16)
        sizes = [sum(map(len, part)) for part in parts]
        # Sixteen bits without a sign.
        words = self.send(np.concatenate([array for part in parts for array in part])).int() & 0xFFFF
        plain, cell_counts, places, numbers, move_counts, moves, *shares = words.split(sizes)
        rows = torch.arange(self.rows, device=device)
        cell_rows = torch.repeat_interleave(rows, cell_counts, output_size=sizes[2])
        self.plain = plain.view(-1, 2).float()
        self.numbers = numbers.float() / WHOLE
        self.is_likely = (places & LIKELY) != 0
        self.cells = cell_rows * (PLANES * SQUARES) + (places & (LIKELY - 1))
        self.move_rows = torch.repeat_interleave(rows, move_counts, output_size=sizes[5])
        self.index = self.move_rows * ACTIONS + moves
        if with_shares:
            self.chances = self.send(np.concatenate(chances)).view(-1, 3)
            self.shares = shares[0].float()
            starts = torch.cumsum(move_counts, 0) - move_counts
            self.move_columns = torch.arange(sizes[5], device=device) - starts[self.move_rows]
            self.has_policy = move_counts > 0

    @staticmethod
    def send(array):
        tensor = torch.from_numpy(array)
        return tensor.pin_memory().to(device, non_blocking=True) if on_gpu else tensor

    def write(self, planes):
        """The planes, one board a row."""
        flat = planes.view(-1)
        flat.zero_()
        flat.index_copy_(0, self.cells, self.numbers.to(planes.dtype))
        # A piece that is likelier there than not has a one in its twin plane; the others are written where they are once more.
        twins = torch.where(self.is_likely, self.cells + PIECE_PLANES * SQUARES, self.cells)
        flat.index_copy_(0, twins, torch.where(self.is_likely, 1.0, self.numbers).to(planes.dtype))
        planes[: self.rows, BRANCHES] = (self.plain[:, 0] / WHOLE).to(planes.dtype)[:, None, None]
        planes[: self.rows, WHITE] = self.plain[:, 1].to(planes.dtype)[:, None, None]


class Learner:
    """Weights being learned: Adam with weight decay, slopes cut to a length, and averaged weights."""

    def load(self, steps, weights, averaged, first, second):
        self.steps = steps
        self.parts = weights
        self.averaged = averaged
        self.first, self.second = first, second
        self.decays = {name: role == "weight" for name, _, role in slots}
        for name in learned:
            self.parts[name].requires_grad_(True)
        self.losses = torch.zeros(6, dtype=torch.float64, device=device)

    def normalised(self, layer, board):
        parts = self.parts
        weight = parts[f"{layer}.conv.weight"]
        out = F.conv2d(board, weight, padding=weight.shape[-1] // 2)
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

    def step(self, batch, rate, decay, clip, averaging, value_weight):
        planes = torch.empty((batch.rows, PLANES, 8, 8), device=device)
        batch.write(planes)
        planes = planes.contiguous(memory_format=torch.channels_last)
        with torch.autocast("cuda", torch.bfloat16, enabled=on_gpu):
            board = F.relu(self.normalised("input", planes))
            for block in range(architecture["blocks"]):
                inner = F.relu(self.normalised(f"block{block}.first", board))
                board = F.relu(self.normalised(f"block{block}.second", inner) + board)
            logits, said = heads(
                board, lambda out: self.normalised("policy", out), lambda out: self.normalised("value", out), self.parts
            )
        # Only legal moves: one row a lesson, as wide as the widest.
        wide = max(1, int(batch.move_counts.max()))
        spots = batch.move_rows * wide + batch.move_columns
        table = torch.full((batch.rows * wide,), float("-inf"), device=device)
        table = table.index_copy(0, spots, logits.float().reshape(-1)[batch.index]).view(batch.rows, wide)
        wanted = torch.zeros(batch.rows * wide, device=device).index_copy(0, spots, batch.shares).view(batch.rows, wide)
        has_policy = batch.has_policy
        wanted = wanted / wanted.sum(1, keepdim=True).clamp(min=1.0)
        logs = torch.log_softmax(torch.where(has_policy[:, None], table, torch.zeros_like(table)), 1)
        each = -(wanted * logs.clamp(min=-87.0)).sum(1)
        policies = has_policy.sum().clamp(min=1)
        policy = each.sum() / policies
        said = said.float()
        if scalar_value:
            value_each = (torch.tanh(said[:, 0]) - (batch.chances[:, 0] - batch.chances[:, 2])) ** 2
        else:
            value_each = -(batch.chances * torch.log_softmax(said, 1)).sum(1)
        loss = policy + value_weight * value_each.sum() / batch.rows
        tensors = [self.parts[name] for name in learned]
        slopes = torch.autograd.grad(loss, tensors)
        with torch.no_grad():
            hits = ((table.argmax(1) == wanted.argmax(1)) & has_policy).sum()
            entropy = -(wanted * torch.log(wanted.clamp(min=1e-30))).sum()
            self.losses += torch.stack(
                [each.sum(), value_each.sum(), has_policy.sum(), has_policy.numel() + 0 * hits, hits, entropy]
            ).double()
            self.descend(tensors, list(slopes), rate, decay, clip, averaging)

    def descend(self, tensors, slopes, rate, decay, clip, averaging):
        self.steps += 1
        if clip > 0:
            length = torch.linalg.vector_norm(torch.stack(torch._foreach_norm(slopes)))
            torch._foreach_mul_(slopes, torch.clamp(clip / (length + 1e-12), max=1.0))
        decaying = [at for at, name in enumerate(learned) if self.decays[name]]
        pulled = torch._foreach_add([slopes[at] for at in decaying], [tensors[at] for at in decaying], alpha=decay)
        for at, slope in zip(decaying, pulled):
            slopes[at] = slope
        first, second = [self.first[name] for name in learned], [self.second[name] for name in learned]
        torch._foreach_lerp_(first, slopes, 1 - MOMENTUM)
        torch._foreach_mul_(second, MEMORY)
        torch._foreach_addcmul_(second, slopes, slopes, 1 - MEMORY)
        age = min(self.steps, 100_000)
        roots = torch._foreach_sqrt(torch._foreach_div(second, 1 - MEMORY**age))
        torch._foreach_add_(roots, LEAST)
        torch._foreach_addcdiv_(tensors, first, roots, -rate / (1 - MOMENTUM**age))
        keep = min(averaging, self.steps / (self.steps + 10))
        torch._foreach_lerp_([self.averaged[name] for name in names], [self.parts[name] for name in names], 1 - keep)

    def take(self):
        losses = self.losses.cpu().numpy().tobytes()
        self.losses.zero_()
        return struct.pack("<Q", self.steps) + losses + b"".join(
            pack(part) for part in (self.parts, self.averaged, self.first, self.second)
        )


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


class Pending:
    """An answer on its way from the device."""

    def __init__(self, batch, parts, values, logits):
        self.frames = parts
        self.values, self.logits, self.done = values, logits, None
        if on_gpu:
            self.values = torch.empty(values.shape, dtype=values.dtype, pin_memory=True)
            self.logits = torch.empty(logits.shape, dtype=logits.dtype, pin_memory=True)
            self.values.copy_(values, non_blocking=True)
            self.logits.copy_(logits, non_blocking=True)
            self.done = torch.cuda.Event()
            self.done.record()

    def finish(self):
        if self.done is not None:
            self.done.synchronize()
        values, logits = self.values.numpy(), self.logits.numpy()
        row = move = 0
        for frame in self.frames:
            reply(
                frame.lane,
                values[row : row + frame.rows].tobytes() + logits[move : move + frame.moves].tobytes(),
            )
            row += frame.rows
            move += frame.moves
        out.flush()


def main():
    inbox = Inbox()
    players, learner = {}, Learner()
    boards = [torch.zeros((MOST, PLANES, 8, 8), dtype=half, device=device) for _ in range(2)]
    name = torch.cuda.get_device_name() if on_gpu else "the processor"
    reply(0, f"PyTorch {torch.__version__} on {name}".encode())
    out.flush()
    pending, turn = None, 0
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
            together, rows = [frame], frame.rows
            while inbox.frames:
                other = inbox.frames[0]
                if other.kind != ANSWER or other.player != frame.player or rows + other.rows > MOST:
                    break
                together.append(inbox.frames.popleft())
                rows += other.rows
            with torch.inference_mode():
                batch = Batch(together)
                planes = boards[turn]
                turn = 1 - turn
                batch.write(planes)
                logits, values = players[frame.player].answer(planes, batch.rows)
                chosen = logits.reshape(-1)[batch.index].float()
                now = Pending(batch, together, values[: batch.rows].float(), chosen)
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
            batch = Batch([frame], with_shares=True)
            rate, decay, clip, averaging = (float(number) for number in frame.numbers)
            learner.step(batch, rate, decay, clip, averaging, request["value_weight"])
        elif frame.kind == TAKE:
            reply(frame.lane, learner.take())
            out.flush()


main()

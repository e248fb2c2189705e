"""Trains a small agent for quantum chess by policy gradients (REINFORCE with a baseline), in minutes on a CPU.

    python train_quantum.py --steps 400

The policy plays both sides. Two choices make it learn in minutes rather than days:

- Dense rewards. Most games of weak players end by the limit of plies, so that results say nothing. A move is rewarded for the
  expected material that it wins, less half of what the reply wins back, and for capturing the king.
- A bilinear policy head. The score of a move is `features(from) · W · features(to)`, as in the attention policy of Leela Chess
  Zero. What is learned about capturing a queen holds for every pair of squares; a separate output per move index would have to
  learn it for each of 3848 moves. The board is seen from the side to move, so that both colours share all weights.

Features of a square are the probabilities of the pieces on it. With PyTorch a small convolutional network adds its own;
`--numpy` does without it. It prints points against random moves before and after, with colours shared equally.
"""

import argparse
import time

import numpy as np

from tabia import quantum

PIECES = 12
# Planes 0–11 are the probabilities of White's P N B R Q K, then Black's; 12–23 the same rounded; 25 is 1 if White is to move.
WHITE_TO_MOVE = 25
SWAPPED = [*range(6, 12), *range(6), *range(18, 24), *range(12, 18), *range(24, quantum.PLANES)]


def move_table() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each action its two squares (a1 is 0, h8 is 63), and whether it is a split. Numbers of no move keep zeros."""
    start, target, split = (np.zeros(quantum.ACTIONS, dtype=np.int64) for _ in range(3))

    def square(text: str) -> int:
        return "abcdefgh".index(text[0]) + 8 * (int(text[1]) - 1)

    for action in range(quantum.ACTIONS):
        try:
            text = quantum.Game.action_text(action)
        except ValueError:
            continue
        split[action] = "~" in text
        plain = text.replace("~", "")
        start[action], target[action] = square(plain[:2]), square(plain[2:4])
    return start, target, split


START, TARGET, SPLIT = move_table()


def from_the_movers_side(planes: np.ndarray) -> np.ndarray:
    """The planes with the mover's pieces first and its back rank first."""
    seen = planes.copy()
    black = planes[:, WHITE_TO_MOVE, 0, 0] == 0
    seen[black] = planes[black][:, SWAPPED, ::-1]
    return seen


class Legal:
    """The legal moves of many positions: row, action, squares from the mover's side, and kind."""

    def __init__(self, planes: np.ndarray, masks: np.ndarray) -> None:
        self.count = len(masks)
        self.rows, self.actions = np.nonzero(masks)
        # Exclusive or with 56 turns the ranks round.
        turn = np.where(planes[self.rows, WHITE_TO_MOVE, 0, 0] == 0, 56, 0)
        self.start, self.target = START[self.actions] ^ turn, TARGET[self.actions] ^ turn
        self.split = SPLIT[self.actions]


class LinearPolicy:
    """The bilinear head alone, in NumPy, trained by Adam: 13 features of a square, 338 weights."""

    def __init__(self, seed: int, rate: float = 0.03) -> None:
        self.weights = np.random.default_rng(seed).normal(0, 0.01, (2, PIECES + 1, PIECES + 1)).astype(np.float32)
        self.first, self.second = np.zeros_like(self.weights), np.zeros_like(self.weights)
        self.rate, self.updates = rate, 0

    def forward(self, planes: np.ndarray, legal: Legal) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Probabilities of the legal moves, and the features of their two squares."""
        pieces = from_the_movers_side(planes)[:, :PIECES].reshape(legal.count, PIECES, 64)
        features = np.concatenate([pieces, np.ones((legal.count, 1, 64), dtype=np.float32)], axis=1).transpose(0, 2, 1)
        start, target = features[legal.rows, legal.start], features[legal.rows, legal.target]
        scores = np.einsum("mi,mij,mj->m", start, self.weights[legal.split], target)
        largest = np.full(legal.count, -np.inf, dtype=np.float32)
        np.maximum.at(largest, legal.rows, scores)
        exp = np.exp(scores - largest[legal.rows])
        return exp / np.bincount(legal.rows, exp, legal.count)[legal.rows], start, target

    def probabilities(self, planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        legal = Legal(planes, masks)
        dense = np.zeros(masks.shape)
        dense[legal.rows, legal.actions] = self.forward(planes, legal)[0]
        return dense

    def learn(self, planes: np.ndarray, masks: np.ndarray, actions: np.ndarray, advantages: np.ndarray) -> None:
        legal = Legal(planes, masks)
        probabilities, start, target = self.forward(planes, legal)
        # The gradient of a log-softmax: one at the action taken, less the probabilities.
        of_scores = ((legal.actions == actions[legal.rows]) - probabilities) * advantages[legal.rows] / legal.count
        gradient = np.stack([np.einsum("m,mi,mj->ij", of_scores * (legal.split == kind), start, target) for kind in (0, 1)])
        self.updates += 1
        self.first += 0.1 * (gradient - self.first)
        self.second += 0.001 * (gradient**2 - self.second)
        corrected = self.first / (1 - 0.9**self.updates)
        scale = np.sqrt(self.second / (1 - 0.999**self.updates)) + 1e-8
        self.weights += self.rate * corrected / scale


def torch_policy(seed: int, rate: float = 2e-3):
    """The bilinear head over features of a small convolutional network."""
    import torch
    from torch import nn

    torch.manual_seed(seed)
    channels, size = 32, 32

    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body = nn.Sequential(
                nn.Conv2d(quantum.PLANES, channels, 3, padding=1), nn.ReLU(),
                nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU(),
            )
            # One query per kind of move (plain, split) for the square that a piece leaves, one key for the other square.
            self.query = nn.Linear(channels + quantum.PLANES, 2 * size)
            self.key = nn.Linear(channels + quantum.PLANES, size)

        def forward(self, planes: torch.Tensor, legal: Legal) -> torch.Tensor:
            features = torch.cat([self.body(planes), planes], 1).flatten(2).transpose(1, 2)
            query = self.query(features).unflatten(2, (2, size))
            rows, start, target, split = map(torch.from_numpy, (legal.rows, legal.start, legal.target, legal.split))
            values = (query[rows, start, split] * self.key(features)[rows, target]).sum(1) / size**0.5
            scores = torch.full((legal.count, quantum.ACTIONS), -1e9)
            return scores.index_put((rows, torch.from_numpy(legal.actions)), values)

    class Policy:
        def __init__(self) -> None:
            self.network = Network()
            self.optimizer = torch.optim.Adam(self.network.parameters(), rate)

        def scores(self, planes: np.ndarray, masks: np.ndarray) -> torch.Tensor:
            return self.network(torch.from_numpy(from_the_movers_side(planes)), Legal(planes, masks))

        def probabilities(self, planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
            with torch.no_grad():
                return torch.softmax(self.scores(planes, masks), 1).numpy()

        def learn(self, planes: np.ndarray, masks: np.ndarray, actions: np.ndarray, advantages: np.ndarray) -> None:
            logs = torch.log_softmax(self.scores(planes, masks), 1)
            chosen = logs[torch.arange(len(actions)), torch.from_numpy(actions)]
            loss = -(chosen * torch.from_numpy(advantages)).mean()
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self.optimizer.step()

    return Policy()


def sampled(probabilities: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """An action a row, with its probability."""
    sums = probabilities.cumsum(axis=1)
    drawn = random.random((len(sums), 1)) * sums[:, -1:]
    actions = (sums < drawn).sum(axis=1)
    # Rounding may leave the last row's sum short: an action of probability zero is never taken.
    bad = probabilities[np.arange(len(actions)), np.minimum(actions, quantum.ACTIONS - 1)] <= 0
    actions[bad] = probabilities[bad].argmax(axis=1)
    return actions


def against_random(policy, games: int, ply_limit: int, seed: int) -> np.ndarray:
    """Points of each game against random moves: 1, 0.5 or 0. The policy has White in every other game."""
    env, random = quantum.VectorEnv(games, seed=seed, ply_limit=ply_limit), np.random.default_rng(seed)
    points, white = np.full(games, np.nan), np.arange(games) % 2 == 0
    step = env.reset()
    # The first game of each place counts, whatever its length: counting all that end would favour short ones.
    while np.isnan(points).any():
        chosen = sampled(policy.probabilities(step.planes, step.masks), random)
        step = env.step(np.where((step.white_to_move == 1) == white, chosen, env.sample(random)))
        first = (step.done == 1) & np.isnan(points)
        points[first] = (step.results[first] * np.where(white[first], 1, -1) + 1) / 2
    return points


# What a piece is worth in pawns, P N B R Q K. Capturing the king ends the game.
WORTH = np.array([1, 3, 3, 5, 9, 0], dtype=np.float32)
KING = 20.0
# How much less the next ply counts, and after how many plies the policy is improved.
DISCOUNT, ROLLOUT = 0.5, 8


def material(planes: np.ndarray) -> np.ndarray:
    """White's expected material less Black's."""
    pieces = planes[:, :PIECES].sum(axis=(2, 3))
    return pieces[:, :6] @ WORTH - pieces[:, 6:] @ WORTH


def advantages(gains: np.ndarray, done: np.ndarray) -> np.ndarray:
    """What each move gained: its own gain less the discounted one of the answer, and so on to the end of game or rollout."""
    returns = np.zeros_like(gains)
    after = np.zeros(gains.shape[1], dtype=np.float32)
    for ply in reversed(range(len(gains))):
        # The players take turns: what the other one gains is lost.
        after = returns[ply] = gains[ply] - DISCOUNT * np.where(done[ply], 0, after)
    return (returns - returns.mean()) / (returns.std() + 1e-6)


def train(policy, games: int, steps: int, ply_limit: int, seed: int) -> None:
    env, random = quantum.VectorEnv(games, seed=seed, ply_limit=ply_limit), np.random.default_rng(seed)
    step, seen = env.reset(), []
    for _ in range(steps):
        planes, masks, white = step.planes.copy(), step.masks.copy(), step.white_to_move == 1
        before = material(planes)
        actions = sampled(policy.probabilities(planes, masks), random)
        step = env.step(actions)
        over = step.done == 1
        # After the end of a game the planes are those of the next one: then only the king counts.
        gain = np.where(over, 0, material(step.planes) - before) * np.where(white, 1, -1) + KING * step.rewards
        seen.append((planes, masks, actions, gain.astype(np.float32), over))
        if len(seen) == ROLLOUT:
            planes, masks, actions, gains, ends = (np.stack(column) for column in zip(*seen, strict=True))
            merged = (array.reshape(-1, *array.shape[2:]) for array in (planes, masks, actions, advantages(gains, ends)))
            policy.learn(*merged)
            seen = []


def told(points: np.ndarray) -> str:
    """The mean with its 95% interval, and how the games ended."""
    error = 1.96 * points.std(ddof=1) / len(points) ** 0.5
    won, lost = (points == 1).sum(), (points == 0).sum()
    return f"{points.mean():.2f} ± {error:.2f} ({won} won, {len(points) - won - lost} drawn, {lost} lost)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=32, help="games played together")
    parser.add_argument("--steps", type=int, default=400, help="plies played in each")
    parser.add_argument("--ply-limit", type=int, default=80, help="longer games are drawn")
    parser.add_argument("--tests", type=int, default=64, help="games against random moves, before and after")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--numpy", action="store_true", help="without PyTorch, even if it is installed")
    args = parser.parse_args()
    try:
        policy = LinearPolicy(args.seed) if args.numpy else torch_policy(args.seed)
    except ImportError:
        print("PyTorch is not installed: the bilinear policy with NumPy instead")
        policy = LinearPolicy(args.seed)
    before = against_random(policy, args.tests, args.ply_limit, args.seed + 1)
    print(f"points against random moves before: {told(before)}", flush=True)
    start = time.perf_counter()
    train(policy, args.games, args.steps, args.ply_limit, args.seed)
    seconds = time.perf_counter() - start
    after = against_random(policy, args.tests, args.ply_limit, args.seed + 1)
    print(f"points against random moves after {seconds:.0f} s of training: {told(after)}")


if __name__ == "__main__":
    main()

"""Trains a small agent for quantum chess by policy gradients (REINFORCE with a baseline), in minutes on a CPU.

A result at the end of a game is too little to learn from in minutes: a move is rewarded for the expected material that it gains, less
what the answer takes, and for taking the king.

    python train_quantum.py --steps 1200

Both sides are played by the same policy: a linear layer from the 28 planes to the 9344 moves with NumPy, a small convolutional
network with PyTorch where it is installed (`--numpy` does without it). It prints what share of its games against random
moves the agent wins before and after.
"""

import argparse
import time

import numpy as np

from tabia import quantum


class LinearPolicy:
    """Scores of all moves as a linear function of the planes, trained by Adam."""

    def __init__(self, seed: int, rate: float = 2e-3) -> None:
        random = np.random.default_rng(seed)
        size = quantum.PLANES * 64
        self.weights = random.normal(0, 0.01, (size, quantum.ACTIONS)).astype(np.float32)
        self.first = np.zeros_like(self.weights)
        self.second = np.zeros_like(self.weights)
        self.rate, self.updates = rate, 0

    def probabilities(self, planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        scores = planes.reshape(len(planes), -1) @ self.weights
        scores = np.where(masks > 0, scores, -1e9)
        scores -= scores.max(axis=1, keepdims=True)
        exp = np.exp(scores)
        return exp / exp.sum(axis=1, keepdims=True)

    def learn(self, planes: np.ndarray, masks: np.ndarray, actions: np.ndarray, advantages: np.ndarray) -> None:
        gradient_of_scores = -self.probabilities(planes, masks)
        gradient_of_scores[np.arange(len(actions)), actions] += 1
        gradient_of_scores *= advantages[:, None] / len(actions)
        gradient = planes.reshape(len(planes), -1).T @ gradient_of_scores
        self.updates += 1
        self.first += 0.1 * (gradient - self.first)
        self.second += 0.001 * (gradient**2 - self.second)
        corrected = self.first / (1 - 0.9**self.updates)
        scale = np.sqrt(self.second / (1 - 0.999**self.updates)) + 1e-8
        self.weights += self.rate * corrected / scale


def torch_policy(seed: int, rate: float = 3e-3):
    """The same with a small convolutional network."""
    import torch
    from torch import nn

    torch.manual_seed(seed)

    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body = nn.Sequential(
                nn.Conv2d(quantum.PLANES, 32, 3, padding=1), nn.ReLU(),
                nn.Conv2d(32, 32, 3, padding=1), nn.ReLU(),
            )
            # 146 kinds of moves from every square: the number of a move is `square · 146 + kind`.
            self.head = nn.Conv2d(32, quantum.ACTIONS // 64, 1)

        def forward(self, planes: torch.Tensor) -> torch.Tensor:
            return self.head(self.body(planes)).permute(0, 2, 3, 1).flatten(1)

    class Policy:
        def __init__(self) -> None:
            self.network = Network()
            self.optimizer = torch.optim.Adam(self.network.parameters(), rate)

        def scores(self, planes: np.ndarray, masks: np.ndarray) -> torch.Tensor:
            scores = self.network(torch.from_numpy(np.ascontiguousarray(planes)))
            return scores.masked_fill(torch.from_numpy(masks == 0), -1e9)

        def probabilities(self, planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
            with torch.no_grad():
                return torch.softmax(self.scores(planes, masks), 1).numpy()

        def learn(self, planes: np.ndarray, masks: np.ndarray, actions: np.ndarray, advantages: np.ndarray) -> None:
            logs = torch.log_softmax(self.scores(planes, masks), 1)
            chosen = logs[torch.arange(len(actions)), torch.from_numpy(actions)]
            loss = -(chosen * torch.from_numpy(advantages)).mean()
            self.optimizer.zero_grad()
            loss.backward()
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


def share_won(policy, games: int, ply_limit: int, seed: int) -> float:
    """Points a game of the policy with White against random moves."""
    env, random = quantum.VectorEnv(games, seed=seed, ply_limit=ply_limit), np.random.default_rng(seed)
    step, points, ended = env.reset(), 0.0, 0
    for _ in range(2 * ply_limit):
        chosen = sampled(policy.probabilities(step.planes, step.masks), random)
        step = env.step(np.where(step.white_to_move == 1, chosen, env.sample(random)))
        over = step.done == 1
        points += float((step.results[over] + 1).sum()) / 2
        ended += int(over.sum())
    return points / max(ended, 1)


# What a piece is worth in pawns, in the order of the planes: P N B R Q K of White, then of Black. Taking the king ends the game.
WORTH = np.array([1, 3, 3, 5, 9, 0], dtype=np.float32)
KING = 20.0
# How much less the next ply counts, and after how many plies the policy is improved.
DISCOUNT, ROLLOUT = 0.5, 8


def material(planes: np.ndarray) -> np.ndarray:
    """White's expected material less Black's: the first twelve planes are the probabilities of the pieces."""
    pieces = planes[:, :12].sum(axis=(2, 3))
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=32, help="games played together")
    parser.add_argument("--steps", type=int, default=1200, help="plies played in each")
    parser.add_argument("--ply-limit", type=int, default=80, help="longer games are drawn")
    parser.add_argument("--tests", type=int, default=64, help="games against random moves, before and after")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--numpy", action="store_true", help="without PyTorch, even if it is installed")
    args = parser.parse_args()
    try:
        policy = LinearPolicy(args.seed) if args.numpy else torch_policy(args.seed)
    except ImportError:
        print("PyTorch is not installed: a linear policy with NumPy instead")
        policy = LinearPolicy(args.seed)
    before = share_won(policy, args.tests, args.ply_limit, args.seed + 1)
    start = time.perf_counter()
    train(policy, args.games, args.steps, args.ply_limit, args.seed)
    seconds = time.perf_counter() - start
    after = share_won(policy, args.tests, args.ply_limit, args.seed + 1)
    print(f"points against random moves: {before:.2f} before, {after:.2f} after {seconds:.0f} s of training")


if __name__ == "__main__":
    main()

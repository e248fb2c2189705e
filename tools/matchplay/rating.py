"""What results say about strength: Elo with its error from pairs of games, SPRT, performance ratings.

The unit is the pair: two games from one opening with colours swapped. Their results are not independent, so the
variance is taken over pairs (the pentanomial model) and an unbalanced opening costs no certainty.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

Z_95 = 1.959964
SPRT_BOUND = math.log(0.95 / 0.05)  # both error rates 5%
# A bucket that was never hit is not impossible, only rare.
REGULARISATION = 1e-3


@dataclass(frozen=True)
class Estimate:
    """Elo and its 95% error; none where everything was won or lost, or where every pair went the same way."""

    elo: float | None
    error: float | None
    los: float | None


def expected(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    return 400 * math.log10(score / (1 - score))


def mean_and_variance(pentanomial: list[int] | list[float]) -> tuple[float, float]:
    """Of a pair's score, where a lost pair is 0 and a won one is 1."""
    pairs = sum(pentanomial)
    mean = sum(count * index / 4 for index, count in enumerate(pentanomial)) / pairs
    variance = sum(count * (index / 4 - mean) ** 2 for index, count in enumerate(pentanomial)) / pairs
    return mean, variance


def estimate(pentanomial: list[int]) -> Estimate:
    pairs = sum(pentanomial)
    if pairs < 2:
        return Estimate(None, None, None)
    mean, variance = mean_and_variance(pentanomial)
    if not 0 < mean < 1:
        return Estimate(None, None, None)
    if variance == 0:
        return Estimate(elo_of(mean), None, None)
    deviation = math.sqrt(variance / pairs)
    slope = 400 / (math.log(10) * mean * (1 - mean))
    los = 0.5 * (1 + math.erf((mean - 0.5) / (deviation * math.sqrt(2))))
    return Estimate(elo_of(mean), Z_95 * deviation * slope, los)


def log_likelihood_ratio(pentanomial: list[int], elo0: float, elo1: float) -> float:
    """How much better `elo1` explains the pairs than `elo0` (the generalised likelihood ratio)."""
    if sum(pentanomial) == 0:
        return 0.0
    counts = [count + REGULARISATION for count in pentanomial]
    under0, under1 = (_likeliest(counts, expected(elo)) for elo in (elo0, elo1))
    return sum(count * math.log(p1 / p0) for count, p0, p1 in zip(counts, under0, under1, strict=True))


def _likeliest(counts: list[float], mean: float) -> list[float]:
    """Of all distributions of a pair's score with this mean, the one that makes `counts` most likely.

    It is `frequency / (1 + tilt * (score - mean))` for the one tilt at which the mean is right.
    """
    frequencies = [count / sum(counts) for count in counts]
    offsets = [index / 4 - mean for index in range(5)]
    low, high = -1 / offsets[-1], -1 / offsets[0]
    for _ in range(100):
        tilt = (low + high) / 2
        if sum(f * offset / (1 + tilt * offset) for f, offset in zip(frequencies, offsets, strict=True)) > 0:
            low = tilt
        else:
            high = tilt
    return [f / (1 + tilt * offset) for f, offset in zip(frequencies, offsets, strict=True)]


def sprt_verdict(llr: float) -> str | None:
    if llr >= SPRT_BOUND:
        return "accepted"
    return "rejected" if llr <= -SPRT_BOUND else None


def performance(results: list[tuple[int, float, int]]) -> float | None:
    """The rating at which (opponent's rating, points, games) would be expected; none if all or nothing was won."""
    points, games = sum(result[1] for result in results), sum(result[2] for result in results)
    if not 0 < points < games:
        return None
    low, high = -2000.0, 6000.0
    while high - low > 0.01:
        middle = (low + high) / 2
        if sum(count * expected(middle - rating) for rating, _, count in results) < points:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def written(result: Estimate) -> str:
    if result.elo is None:
        return "—"
    return f"{result.elo:+.1f}" + (f" ± {result.error:.1f}" if result.error is not None else " ± ?")

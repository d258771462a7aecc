"""How the benchmarks measure: two things in turn, several times, medians and their ratio.

A machine's speed drifts, so a figure alone says little. Each row sets ours beside a peer or a limit in the same run:
A B A B ..., the ratio taken pair by pair.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class Row:
    """One line of the table: what was measured, ours, the peer's, and the ratio that counts."""

    name: str
    unit: str
    ours: float
    peer: str = ""
    theirs: float | None = None
    ratio: float | None = None
    target: str = ""
    reached: bool | None = None
    note: str = ""
    spread: list[float] = field(default_factory=list)

    def data(self) -> dict[str, Any]:
        """The row as plain data."""
        return asdict(self)


def rate(work: Callable[[], int]) -> float:
    """What a piece of work does a second; the work returns how many."""
    start = time.perf_counter()
    done = work()
    return done / (time.perf_counter() - start)


def rates(work: Callable[[], int], repeats: int = 5) -> list[float]:
    """`rate` several times, after one time that does not count."""
    work()
    return [rate(work) for _ in range(repeats)]


def compare(ours: Callable[[], int], theirs: Callable[[], int], repeats: int = 5) -> tuple[float, float, list[float]]:
    """Median rate of both, measured in turn after a first time that does not count, and the ratios pair by pair."""
    ours(), theirs()
    pairs = [(rate(ours), rate(theirs)) for _ in range(repeats)]
    mine, other = zip(*pairs, strict=True)
    return statistics.median(mine), statistics.median(other), [a / b for a, b in pairs]

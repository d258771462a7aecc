"""Which machine fails what others can play. Pure."""

from collections import Counter
from collections.abc import Iterable

MOST_IN_A_ROW = 3
"""Shards that a machine fails and others play, with none in between that it plays itself: that is no chance."""


class Machines:
    """What became of shards on each machine, by the machine's id."""

    def __init__(self) -> None:
        self.last: dict[str, str] = {}
        """What a machine's latest failure was."""
        self._in_a_row: Counter[str] = Counter()
        self._sick: set[str] = set()

    def failed(self, machine: str, message: str) -> None:
        """A machine has failed a shard: whose fault it was is known once another one has tried."""
        self.last[machine] = message

    def played(self, machine: str, failed: Iterable[str]) -> list[str]:
        """A machine has played a shard that others have ``failed``; returns those that are found to be sick by that."""
        self._in_a_row.pop(machine, None)
        self._in_a_row.update(set(failed) - {machine} - self._sick)
        found = sorted(it for it, times in self._in_a_row.items() if times >= MOST_IN_A_ROW)
        self._sick.update(found)
        for it in found:
            del self._in_a_row[it]
        return found

"""What an archive has of a game, row by row beside the same game played again."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from queries.schema import KEYS
from queries.tell import Row


class Difference(NamedTuple):
    """What the archive has otherwise than the game that was played again.

    ``thing`` is the side, unit or place, or the number of an event; ``field`` is empty where a whole row is missing.
    """

    table: str
    turn: int | None
    thing: str
    field: str
    recorded: Any
    replayed: Any

    @property
    def when(self) -> float:
        """Its turn, for ordering; what is of no turn comes last."""
        return math.inf if self.turn is None else self.turn

    def __str__(self) -> str:
        when = "" if self.turn is None else f", turn {self.turn}"
        where = f"{self.table}{when}{f', {self.thing}' if self.thing else ''}"
        if self.field:
            return f"{where}, {self.field}: the archive has {self.recorded}, played again {self.replayed}"
        return f"{where}: {'only the archive has' if self.recorded else 'the archive lacks'} this row"


def differences(table: str, recorded: Sequence[Row], replayed: Sequence[Row]) -> Iterator[Difference]:
    """What is otherwise in the rows that a table has of one game, turn by turn. Its cell's number does not count."""
    keys = [name for name, _ in KEYS[table] if name not in ("cell", "replication")]
    ours, theirs = ({tuple(row[key] for key in keys): row for row in rows} for rows in (recorded, replayed))
    for key in sorted(ours.keys() | theirs.keys()):
        named = dict(zip(keys, key, strict=True))
        turn = named.pop("turn", None)
        thing = " ".join(f"{name} {value}" for name, value in named.items())
        if key not in ours or key not in theirs:
            yield Difference(table, turn, thing, "", key in ours, key in theirs)
            continue
        for field, value in ours[key].items():
            # The number of the cell is the archive's own: a game that is played alone is its cell 0.
            if field != "cell" and value != theirs[key][field]:
                yield Difference(table, turn, thing, field, value, theirs[key][field])
    if ours.keys() == theirs.keys() and len(recorded) != len(replayed):
        yield Difference(table, None, "", "rows", len(recorded), len(replayed))

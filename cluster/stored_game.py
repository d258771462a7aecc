"""One game of an archive: found by its cell and replication, played again, and compared with what was recorded."""

from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

import queries
import sim
from cluster import compared
from cluster.archive import open_experiment
from cluster.compared import Difference
from cluster.layout import one_experiment
from cluster.library import Documents, PlayerSpec, ScenarioRef
from cluster.one_game import OneGame
from cluster.plan import Plan
from cluster.store import store_errors, store_of
from queries.catalog import PUBLISHED
from queries.schema import schema as schema_of
from queries.tell import Row, Story
from sim.compiled import source_hash
from sim.game import SIDES
from sim.rules_file import BadInput


class StoredGame(NamedTuple):
    """A game of an archive, ready to be played again with ``seed`` and ``replication``.

    ``folder`` is the experiment's, ``cell`` the number of the cell; ``same_code`` says whether the rules and policies
    that played it are those that are here.
    """

    folder: str
    cell: int
    replication: int
    seed: int
    game: OneGame
    same_code: bool


@store_errors()
def find(archive: str, cell: int, replication: int) -> StoredGame:
    """A game by its cell and replication, from the inputs that are stored with it.

    ``archive`` holds one experiment or is the folder of one. Raises `BadInput` where there is no such game.
    """
    stored = open_experiment(one_experiment(store_of(archive)))
    plan = stored.plan
    _within(cell, len(plan.cells), "cell", "cells")
    _within(replication, stored.replications[cell], "replication", "replications")
    planned = plan.cells[cell]
    inputs = planned.inputs
    documents = Documents(*(stored.inputs[name] for name in (inputs.scenario, inputs.map, inputs.rules)))
    setup, names = sim.rulebook(planned.rulebook).load(*documents)
    title = str(documents.scenario.get("title", planned.scenario))
    ref = ScenarioRef(planned.rulebook, planned.scenario.partition("/")[2], Path(), (), title)
    players = {side: PlayerSpec(**stored.inputs[getattr(inputs, side)]) for side in reversed(SIDES)}
    game = OneGame(ref, documents, setup, names, players, dict(planned.factors))
    return StoredGame(str(stored.store), cell, replication, planned.seed, game, _same_code(plan))


def _within(number: int, count: int, name: str, things: str) -> None:
    if not 0 <= number < count:
        raise BadInput(f"{number} is wrong: the experiment has {things} 0 to {count - 1}", key=f"--{name}")


def _same_code(plan: Plan) -> bool:
    return plan.code == source_hash()


def recorded(stored: StoredGame) -> dict[str, list[Row]]:
    """The rows that the archive has of a game, by table; of what was not recorded, or not played yet, none."""
    book = sim.rulebook(stored.game.scenario.rulebook)
    found: dict[str, list[Row]] = {}
    with queries.open(stored.folder) as archive, archive.errors():
        for table in PUBLISHED:
            schema = schema_of(book, table)
            # Where one rulebook has a name in a column and another yes or no, the view has text.
            chosen = ", ".join(f'"{it.name}"{"::boolean" * pa.types.is_boolean(it.type)}' for it in schema)
            source = "(from games union all by name from failed_games)" if table == "games" else table
            where = f"cell = {stored.cell} and replication = {stored.replication}"
            rows = archive.sql(f"select {chosen} from {source} where {where}").fetchall()
            found[table] = [dict(zip(schema.names, row, strict=True)) for row in rows]
    return found


def differences(stored: StoredGame, story: Story, rows: dict[str, list[Row]]) -> list[Difference]:
    """What the archive has otherwise than a game that was played again, table by table; none where they agree."""
    again = {
        "games": [{**story.game, "cell": stored.cell}],
        **{name: getattr(story, name) for name in ("turns", "units", "territory", "events")},
    }
    return [it for table, have in rows.items() if have for it in compared.differences(table, have, again[table])]

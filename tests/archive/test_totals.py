"""Every check of totals: nothing differs in games that were played, and a changed number is found."""

from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import cluster
from cluster import tables
from queries.catalog import TABLES
from tests.matches import Match, loaded, played
from tests.tank_hex_games import ANYTHING

TOTALS = Path(cluster.__file__).with_name("totals")
MATCHES = {
    "barbarossa": Match("barbarossa/blue", "easy", "hold"),
    "tank_hex": Match("tank_hex/village_assault", ANYTHING, ANYTHING),
    "first_contact": Match(
        "first_contact/prokhorovka",
        "random",
        "random",
        (("scenario.deployment.red", "forward_farm"), ("scenario.deployment.blue", "northern_road")),
    ),
}
CHANGES = {
    "common/territory_at_the_end": ("games", "red_territory"),
    "barbarossa/loss_events": ("games", "axis_units_lost"),
    "barbarossa/losses": ("turns", "lost"),
    "barbarossa/territory_by_turn": ("turns", "territory"),
    "barbarossa/units_by_region": ("territory", "units"),
    "barbarossa/units_by_status": ("turns", "on_map"),
    "tank_hex/losses": ("games", "blue_armour_lost"),
    "tank_hex/objectives": ("turns", "territory"),
    "tank_hex/points": ("games", "margin"),
    "tank_hex/tanks": ("turns", "armour_able"),
    "first_contact/losses": ("games", "red_men_lost"),
    "first_contact/loss_events": ("events", "wounded"),
    "first_contact/men_and_ammunition": ("units", "ammunition"),
    "first_contact/vehicles": ("turns", "tiger_able"),
    "first_contact/territory": ("turns", "objectives"),
    "first_contact/objective_turns": ("games", "margin"),
}
"""Of each check a column that it looks at: one more in all its rows is found."""


def tables_of(match: Match) -> dict[str, pa.Table]:
    record, (setup, names) = played(match), loaded(match.scenario, match.settings)
    first = match.book.shape(setup).first_turn
    labels = (match.scenario, "red", "blue")
    games = tables.Played(0, labels, names, first, np.arange(match.games), record)
    return {table: tables.rows(match.book, table, games) for table in TABLES}


def answers(check: str, rows: dict[str, pa.Table]) -> list[tuple]:
    with duckdb.connect() as connection:
        for table, found in rows.items():
            connection.register(table, found)
        return connection.execute((TOTALS / f"{check}.sql").read_text(encoding="utf-8")).fetchall()


def checks() -> list[str]:
    return sorted(f"{path.parent.name}/{path.stem}" for path in TOTALS.glob("*/*.sql"))


def test_every_check_is_here():
    assert checks() == sorted(CHANGES)


@pytest.mark.parametrize("rulebook", MATCHES)
def test_nothing_differs_in_games_that_were_played(rulebook):
    rows = tables_of(MATCHES[rulebook])
    for check in checks():
        if check.startswith((f"{rulebook}/", "common/")):
            assert answers(check, rows) == [], check


@pytest.mark.parametrize("check", CHANGES)
def test_a_changed_number_is_found(check):
    table, column = CHANGES[check]
    rows = tables_of(MATCHES[check.partition("/")[0] if not check.startswith("common/") else "barbarossa"])
    number = rows[table].schema.get_field_index(column)
    field = rows[table].schema.field(number)
    more = pc.add(rows[table][column], pa.scalar(1, field.type))
    rows[table] = rows[table].set_column(number, field, more)
    assert answers(check, rows)

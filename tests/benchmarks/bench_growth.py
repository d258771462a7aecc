"""How time grows with what is asked for: the slope of time against size, both on a logarithmic scale.

A slope of 1 is time in proportion, 2 its square. The slope is the least-squares line through the medians.
"""

import contextlib
import io
import itertools
import math
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from games import SEED, players
from harness import Row
from shards import play_shards

import queries
import sim
from cluster.experiment import read
from cluster.library import documents, find_scenario
from cluster.planner import make_plan
from sim.game import games_a_batch, play

REPEATS = 2
UNITS_SCENARIO = "first_contact/prokhorovka"
COMPANIES = (2, 4, 8, 16)  # of each side; sixteen of a side are the 400 units that there is room for
UNIT_GAMES = 20
CELLS = (10, 100, 1_000, 10_000)
SHARDS = (10, 100, 1_000)
NIGHTS = (1, 4, 16)
CELLS_EXPERIMENT = """
name = "cells"
seed = 1
replications = 1
record = "games"
[[play]]
scenarios = ["barbarossa/barbarossa"]
red = ["medium"]
blue = ["beeline"]
design = "grid"
[play.factors]
"doctrine.blue.least_chance" = {{ low = 0.0, high = 1.0, steps = {cells} }}
"""
# Costly enough that a shard has one game.
SHARDS_EXPERIMENT = """
name = "shards"
seed = {seed}
replications = {shards}
record = "{level}"
[policies.costly]
policy = "hold"
cost = {cost}
[[play]]
scenarios = ["barbarossa/barbarossa"]
red = ["medium"]
blue = ["costly"]
"""


def rows() -> list[Row]:
    """The rows of this file."""
    return [_units(), _planned_cells(), _played_cells(), _shards(), _nights()]


def slope(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Slope of the least-squares line of log time over log size."""
    x, y = ([math.log(value) for value in values] for values in (sizes, seconds))
    return statistics.linear_regression(x, y).slope


def _row(name: str, sizes: Sequence[float], measure: Callable[[Any], float], keys: Sequence[Any], most: float) -> Row:
    """Measures every size in turn, several times."""
    found: dict[Any, list[float]] = {key: [] for key in keys}
    for _, key in itertools.product(range(REPEATS), keys):
        found[key].append(measure(key))
    medians = [statistics.median(found[key]) for key in keys]
    slopes = [slope(sizes, [found[key][number] for key in keys]) for number in range(REPEATS)]
    ours = slope(sizes, medians)
    points = ", ".join(f"{size:,.0f}: {_time(seconds)}" for size, seconds in zip(sizes, medians, strict=True))
    return Row(name, "slope", ours, "in proportion", 1.0, ours, f"at most {most:g}", ours <= most, points, slopes)


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:,.3g} ms"


def _units() -> Row:
    setups = {companies: _front_of(companies) for companies in COMPANIES}
    sides = players(UNITS_SCENARIO, "combined", "combined")
    book = sim.rulebook("first_contact")

    def measure(companies: int) -> float:
        setup = setups[companies]
        assert games_a_batch(book, book.shape(setup), "games") >= UNIT_GAMES
        start = time.perf_counter()
        play(book, setup, *sides, SEED, range(UNIT_GAMES))
        return (time.perf_counter() - start) / UNIT_GAMES

    sizes = [book.shape(setups[companies]).units for companies in COMPANIES]
    measure(COMPANIES[0])
    name = "time of a game over units, First Contact, combined against combined"
    return _row(name, sizes, measure, COMPANIES, 2.0)


def _front_of(companies: int) -> Any:
    """A setup in which so many companies of each side face one another, each on as much of the front as any other."""
    scenario, chart, rules = documents(find_scenario(UNITS_SCENARIO))
    names = {side: [f"{side[0].upper()}{number + 1}" for number in range(companies)] for side in ("red", "blue")}
    zones = {
        side: [_zones(name, 4 + 12 * number, column, behind) for number, name in enumerate(names[side])]
        for side, column, behind in (("blue", 52, -12), ("red", 138, 12))
    }
    scenario = {key: scenario[key] for key in ("name", "rulebook", "title", "map", "sides", "weapons", "entry")} | {
        "companies": [{"name": name, "side": side} for side in names for name in names[side]],
        "support": [],
        "deployment": dict.fromkeys(names, "line"),
        "deployments": {
            side: {"line": {"facing": {"red": "west", "blue": "east"}[side], "zones": zones[side]}} for side in names
        },
    }
    return sim.rulebook("first_contact").load(scenario, chart, rules)[0]


def _zones(company: str, row: int, column: int, behind: int) -> dict[str, Any]:
    far = column + behind
    return {
        "company": company,
        "squads": [{"rows": [row, row + 11], "columns": [column, column]}],
        "vehicles": [{"rows": [row, row + 11], "columns": [min(far, far + 1), max(far, far + 1)]}],
    }


def _planned_cells() -> Row:
    """From the experiment's file to its plan."""

    def measure(cells: int) -> float:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "cells.toml")
            file.write_text(CELLS_EXPERIMENT.format(cells=cells))
            start = time.perf_counter()
            planned = make_plan(read(str(file)))
            seconds = time.perf_counter() - start
        assert len(planned.plan.cells) == cells
        return seconds

    return _row("time to plan over cells", CELLS, measure, CELLS, 1.1)


def _played_cells() -> Row:
    """All cells played, a game each, and published."""

    def measure(cells: int) -> float:
        with tempfile.TemporaryDirectory() as folder:
            return play_shards(CELLS_EXPERIMENT.format(cells=cells), Path(folder)).seconds

    return _row("time to play and publish over cells, a game each", CELLS, measure, CELLS, 1.1)


def _shards() -> Row:
    """Shards of one game: what publishing alone takes."""

    def measure(shards: int) -> float:
        with tempfile.TemporaryDirectory() as folder:
            text = SHARDS_EXPERIMENT.format(shards=shards, level="turns", cost=1e6, seed=1)
            return play_shards(text, Path(folder)).seconds

    return _row("time to publish over shards, a game each", SHARDS, measure, SHARDS, 1.1)


def _nights() -> Row:
    """A question about all nights of an archive, from opening it to the answer."""
    with tempfile.TemporaryDirectory() as name:
        for nights in NIGHTS:
            for night in range(nights):
                _run(Path(name, f"{nights}"), night)

        def measure(nights: int) -> float:
            start = time.perf_counter()
            with queries.open(str(Path(name, f"{nights}"))) as archive:
                assert len(archive.question("win_rates").fetchall()) == nights
            return time.perf_counter() - start

        return _row("time of win_rates over nights of 2,000 games", NIGHTS, measure, NIGHTS, 1.1)


def _run(archive: Path, night: int) -> None:
    from cluster.dispatch import Options
    from cluster.run import run

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        file = Path(folder, "night.toml")
        file.write_text(SHARDS_EXPERIMENT.format(shards=2_000, level="turns", cost=1, seed=night))
        with contextlib.redirect_stdout(io.StringIO()):
            run(str(file), archive, Options(inline=True), 100)

"""From an archive to the model of its report."""

from collections.abc import Callable, Sequence
from typing import Any

import queries
from queries.catalog import experiments_of
from queries.report import balance, course
from queries.report.asked import Asked, Cell
from queries.report.effects import effects
from queries.report.maps import Documents
from queries.report.maps.elements import Document
from queries.report.model import Experiment, Failure, Report, Scenario

FAULTS = """
    select
        fault, count(*) as games,
        arg_min(scenario, (cell, replication)) as scenario,
        arg_min(cell, (cell, replication)) as cell,
        arg_min(replication, (cell, replication)) as replication
    from failed_games group by all order by games desc, fault
"""


Boards = dict[tuple[str, str], Documents]
"""What the maps of a report are drawn from, by experiment and scenario."""


def gather(
    path: str,
    experiments: Sequence[str] = (),
    skip_damaged: bool = False,
    *,
    enough: Callable[[str], str] = lambda folder: "",
) -> tuple[Report, Boards]:
    """Asks an archive, or one experiment of it, for all that a report says, and for what its maps are drawn from.

    ``enough`` says of the folder of an experiment with ``until`` how many cells have games enough. Raises
    `sim.rules_file.BadInput` where there is no archive, or a file of it is damaged.
    """
    _, folders = experiments_of(path, experiments)
    notes: list[str] = []
    found: list[Experiment] = []
    boards: Boards = {}
    for folder in folders:
        key = folder.removeprefix("experiment=")
        with queries.open(path, experiments=[key], skip_damaged=skip_damaged) as archive:
            notes += archive.notes
            found += [
                _experiment(Asked(archive, it, folder_of(path, key)), boards, enough) for it in archive.experiments
            ]
    notes += _same_dice([(it.key, it.seed) for it in found])
    return Report(archive=path, notes=tuple(notes), experiments=tuple(found)), boards


def _same_dice(seeds: Sequence[tuple[str, int]]) -> list[str]:
    """A line for each seed that several experiments have."""
    by_seed: dict[int, list[str]] = {}
    for key, seed in seeds:
        by_seed.setdefault(seed, []).append(key)
    return [
        f"{', '.join(keys)}: the same seed {seed}, so the same dice: compared with each other they test the same luck"
        for seed, keys in by_seed.items()
        if len(keys) > 1
    ]


def folder_of(path: str, key: str) -> str:
    """What the reader calls an experiment's folder, given what he calls the archive."""
    inner = path.rstrip("/")
    return inner if inner.rpartition("/")[2] == f"experiment={key}" else f"{inner}/experiment={key}"


def _experiment(asked: Asked, boards: Boards, enough: Callable[[str], str]) -> Experiment:
    key, manifest = asked.experiment.key, asked.experiment.manifest
    (row,) = asked.sql("from experiments")
    failures = _failures(asked) if row["failed"] else ()
    by_scenario: dict[str, list[Cell]] = {}
    for cell in asked.cells:
        by_scenario.setdefault(cell.scenario, []).append(cell)
    for name, cells in by_scenario.items():
        boards[key, name] = Documents(*(asked.document(cells[0].number, it) for it in ("scenario", "map", "rules")))
    return Experiment(
        key=key, name=row["name"], label=row["label"] or "", folder=asked.folder, created=row["created"],
        seed=row["seed"], version=row["version"], code=row["code"],
        rulebooks=manifest.get("rulebooks", {}), libraries=manifest.get("libraries", {}),
        record=row["record"], sample=_sample(row), games=row["games"], planned=row["games_planned"],
        failed=row["failed"], complete=row["complete"],
        enough=enough(asked.folder) if manifest.get("until") else "",
        source=asked.source("win_rates"),
        scenarios=tuple(
            _scenario(asked, name, cells, boards[key, name]) for name, cells in by_scenario.items()
        ),
        ratings=_ratings(asked, by_scenario), failures=failures,
        failures_source=asked.source("win_rates") if failures else None,
    )  # fmt: skip


def _sample(row: dict[str, Any]) -> str:
    return f"{row['sample_level']} of one game in {row['sample_every']}" if row["sample_level"] else ""


def _failures(asked: Asked) -> tuple[Failure, ...]:
    return tuple(
        Failure(**{**row, "fault": str(row["fault"])}, command=asked.replay(row["cell"], row["replication"]))
        for row in asked.sql(FAULTS)
    )


def _ratings(asked: Asked, by_scenario: dict[str, list[Cell]]) -> tuple[Any, ...]:
    played: dict[str, list[Cell]] = {}
    for cells in by_scenario.values():
        for cell in balance.base_cells(cells):
            if asked.has_games(cell):
                played.setdefault(cell.rulebook, []).append(cell)
    return tuple(found for cells in played.values() if (found := balance.ratings(asked, cells)))


def _scenario(asked: Asked, name: str, cells: Sequence[Cell], documents: Documents) -> Scenario:
    base = balance.base_cells(cells)
    played = [cell for cell in base if asked.has_games(cell)]
    balanced = balance.balance(asked, base, balance.pairings(asked, base))
    shown = next((cell for cell in played if balanced and cell.number == balanced.featured), None)
    exchanges = course.exchanges(asked, played) if played else None
    counts_armour = exchanges is not None and any(it.loss == "armour" for it in exchanges.rows)
    return Scenario(
        name=name,
        title=documents.scenario.get("title", name),
        rulebook=cells[0].rulebook,
        sides={"red": "Red", "blue": "Blue", **documents.scenario.get("sides", {})},
        turns=_turns(documents.rules),
        cells=len(cells),
        games=sum(asked.n_games(cell) for cell in cells),
        base={key: balance.level_name(level) for key, level in cells[0].factors.items() if level is not None},
        balance=balanced,
        outcomes=balance.outcomes(asked, played) if played else (),
        outcomes_source=asked.source("outcomes", shown.number, scenario=name) if shown else None,
        casualties=course.casualties(asked, shown) if shown else None,
        exchanges=exchanges,
        armour=course.armour(asked, shown, played) if shown and counts_armour else None,
        territory=course.territory(asked, shown) if shown else None,
        holders=course.holders(asked, shown) if shown else None,
        objectives=course.objectives(asked, shown) if shown else None,
        effects=effects(asked, cells, shown) if shown else None,
    )


def _turns(rules: Document) -> dict[int, str]:
    """Names of the turns, where the rulebook's calendar has any (BB-1.1)."""
    names = rules.get("calendar", {}).get("turns", {}).get("value", [])
    return dict(enumerate(names, 1))

"""How far experiments are, what failed in them, and what an experiment would take."""

import json
from collections.abc import Callable, Iterable
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from cluster import RunFailed
from cluster.archive import Stored, open_experiment, over_experiments, resume_command
from cluster.design import Value, correlations, points_of, units_of
from cluster.experiment import Play, read
from cluster.failures import reports
from cluster.layout import done, experiment_folder
from cluster.plan import canonical, count_shards, first_round
from cluster.planner import Planned, make_plan
from cluster.progress import duration_text
from cluster.run import check_size, size_text
from cluster.store import Place, Store, store_errors, store_of

if TYPE_CHECKING:
    from cluster.rounds import Verdict

FEW_LEVELS = 8
"""Levels of a factor that a plan shows one by one."""


@store_errors()
def show_status(place: Place, as_json: bool) -> None:
    """Prints how complete an experiment is, or all of an archive, what failed and how to play it again.

    Raises `RunFailed` for an experiment that is damaged, after all others are shown.
    """
    found: list[dict[str, Any]] = []
    try:
        over_experiments(store_of(place), lambda store: found.append(_status(store)))
    except RunFailed:
        if found:
            _print_found(found, as_json)
        raise
    _print_found(found, as_json)


def _print_found(found: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        _print_json(found)
        return
    console = Console()
    for status in found:
        state = "complete" if status["complete"] else f"incomplete, go on with: {status['resume']}"
        console.print(f"[bold]{status['folder']}[/bold]: {state}", soft_wrap=True, highlight=False)
        console.print(
            f"  {status['games_played']:,} of {status['games']:,} games in {status['shards_done']:,} of "
            f"{status['shards']:,} shards, {status['cells']:,} cells, {status['games_failed']:,} games failed"
        )
        if status["until"]:
            console.print(f"  {status['until']['told']}", soft_wrap=True, highlight=False)
            for pair in (judged for judged in status["until"]["judged"] if "pair" in judged):
                strength = f"Elo {pair['elo']:+.1f} ± {pair['half_width']:.1f}, {pair['says']}"
                console.print(f"    {pair['pair']}: {strength}", soft_wrap=True, highlight=False)
        for report in status["failures"]:
            what = report.get("error") or f"{report['failed']:,} games failed"
            console.print(f"  shard {report['shard']}: {what}", soft_wrap=True, highlight=False)
            for game in report["games"][:3]:
                console.print(f"    again: {game['replay']}", soft_wrap=True, highlight=False)


def _status(store: Store) -> dict[str, Any]:
    stored = open_experiment(store)
    shards = list(stored.shards())
    published = done(store) & {shard.number for shard in shards}
    played = sum(shard.games for shard in shards if shard.number in published)
    # A shard with failed games has a report before its games are there: no file of games need be opened.
    failures = reports(store)
    failed = sum(report["failed"] for report in failures if report["published"] and report["shard"] in published)
    # Where rounds are added, all that has been asked for may be there, and more be wanted.
    complete = len(published) == len(shards) and (stored.until is None or stored.manifest["complete"])
    return {
        "folder": str(store),
        "name": stored.plan.name,
        "id": stored.plan.id,
        "label": stored.plan.label,
        "complete": complete,
        "cells": len(stored.plan.cells),
        "replications": max(stored.replications),
        "games": sum(shard.games for shard in shards),
        "games_played": played,
        "games_failed": failed,
        "shards": len(shards),
        "shards_done": len(published),
        "failures": failures,
        "resume": None if complete else resume_command(store),
        "until": _until(stored),
    }


def _until(stored: Stored) -> dict[str, Any] | None:
    """How far an experiment is to which rounds of games are added."""
    if stored.until is None:
        return None
    from cluster.rounds import standing, told  # with the statistics, which other experiments need not wait for

    found = standing(stored, stored.until)
    return {
        "rounds": len(stored.rounds),
        "enough": found.enough,
        "judged": [_judged(stored, verdict) for verdict in found.verdicts],
        "games_if_equal": found.equal,
        "told": told(stored.until, found),
    }


def _judged(stored: Stored, verdict: "Verdict") -> dict[str, Any]:
    """What is known of cells that are judged together, and of a pair what to call it."""
    judged = {key: value for key, value in verdict._asdict().items() if key in ("cells", "enough", "says")}
    judged["value"] = verdict.value if isfinite(verdict.value) else None
    if verdict.strength:
        cell = stored.plan.cells[verdict.cells[0]]
        judged["pair"] = f"{cell.scenario}: {cell.blue_policy} against {cell.red_policy}"
        judged |= verdict.strength._asdict()
    return judged


def show_plan(file: str, limit_gb: float, as_json: bool) -> None:
    """Prints what an experiment would play and take. Raises `BadInput` for what `run` would refuse."""
    source = read(file)
    planned = make_plan(source)
    check_size(planned.estimate, limit_gb, source.path)
    designs = [_design(play, source.path.parent) for play in source.experiment.play]
    if as_json:
        _print_json(_planned(planned) | {"designs": designs})
        return
    _print_planned(planned)
    for number, design in enumerate(designs):
        if design["factors"]:
            _print_design(number, design)


def _design(play: Play, folder: Path) -> dict[str, Any]:
    """What is varied in a part of an experiment, at how many points, and how much the factors go together."""
    points = points_of(play.design, play.factors, folder)
    names, matrix = correlations(points)
    pairs = [
        {"factors": [names[i], names[j]], "correlation": round(float(matrix[i, j]), 4)}
        for i in range(len(names))
        for j in range(i + 1, len(names))
    ]
    return {
        "kind": play.design.kind,
        "points": len(points),
        "factors": {name: _in_order({point[name]: None for point in points}) for name in points[0]},
        "units": units_of(play.factors),
        "correlations": sorted(pairs, key=lambda pair: -abs(pair["correlation"])),
    }


def _in_order(values: Iterable[Value]) -> list[Value]:
    """Numbers by size, anything else as it comes."""
    found = list(values)
    return found if any(isinstance(value, str) for value in found) else sorted(found)


def _print_design(number: int, design: dict[str, Any]) -> None:
    console = Console(highlight=False)
    console.print(f"\nplay.{number}: {design['kind']}, {design['points']:,} points")
    table = Table.grid(padding=(0, 2))
    for name, values in design["factors"].items():
        few = len(values) <= FEW_LEVELS
        shown = ", ".join(map(str, values)) if few else f"{len(values):,} levels from {min(values)} to {max(values)}"
        table.add_row("", name, f"{shown} {design['units'].get(name, '')}".rstrip())
    console.print(table)
    if design["correlations"]:
        most = design["correlations"][0]
        console.print(
            f"  largest correlation {most['correlation']:+.3f}: {' with '.join(most['factors'])}", soft_wrap=True
        )


def _planned(planned: Planned) -> dict[str, Any]:
    plan, _, estimate = planned
    return {
        "folder": experiment_folder(plan),
        "id": plan.id,
        "cells": [
            cell.model_dump(include={"number", "scenario", "red_policy", "blue_policy", "factors"})
            for cell in plan.cells
        ],
        "replications": plan.replications,
        "games": estimate.games,
        "games_at_most": round(estimate.games * estimate.most),
        "shards": count_shards(plan, [first_round(plan)]),
        "record": plan.record,
        "bytes": round(estimate.bytes),
        "bytes_at": {level: round(size) for level, size in estimate.bytes_at.items()},
        "core_seconds": round(estimate.seconds, 1),
        "core_seconds_at_most": round(estimate.seconds * estimate.most, 1),
    }


def _print_planned(planned: Planned) -> None:
    plan, _, estimate = planned
    points = {canonical(cell.factors) for cell in plan.cells}
    counts = ", ".join(
        f"{len(found)} {what}{'' if len(found) == 1 else 's'}"
        for what, found in (
            ("scenario", {cell.scenario for cell in plan.cells}),
            ("blue player", {cell.blue_policy for cell in plan.cells}),
            ("red player", {cell.red_policy for cell in plan.cells}),
            ("design point", points),
        )
    )
    sizes = ", ".join(f"{level} {size_text(size)}" for level, size in estimate.bytes_at.items())
    more = estimate.most
    games = _from_to(estimate.games, more, lambda n: f"{n:,.0f}")
    size, time = _from_to(estimate.bytes, more, size_text), _from_to(estimate.seconds, more, duration_text)
    rows = (
        ("folder", experiment_folder(plan)),
        ("cells", f"{len(plan.cells):,}: {counts}"),
        ("games", f"{games}: {plan.replications:,} replications of each cell{', then rounds' if more > 1 else ''}"),
        ("shards", f"{count_shards(plan, [first_round(plan)]):,}"),
        ("archive", f'about {size} at record = "{plan.record}" ({sizes})'),
        ("time", f"about {time} of one core, compiling aside"),
    )
    table = Table.grid(padding=(0, 2))
    for name, text in rows:
        table.add_row(name, text)
    Console(highlight=False).print(table)


def _from_to(least: float, times: float, text: Callable[[float], str]) -> str:
    """What is taken at least, and if rounds may add to it also at most."""
    return text(least) if times == 1 else f"{text(least)} to {text(least * times)}"


def _print_json(document: Any) -> None:
    print(json.dumps(document, indent=2, ensure_ascii=False))

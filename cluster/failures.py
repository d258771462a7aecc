"""Reports on what failed: one JSON file for each shard that could not be played or has games that could not go on."""

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from cluster.archive import Stored, checked, read_json
from cluster.documents import Report
from cluster.layout import failures_file
from cluster.library import PlayerSpec
from cluster.plan import Plan, Shard
from cluster.store import Store
from sim.fields import COMMON_GAMES

READ_AT_ONCE = 16
_REPORT = re.compile(r"failures/shard-(\d+)\.json")
_NOT_WHY = {field.name for field in COMMON_GAMES} | {"cell", "replication", "scenario", "red_policy", "blue_policy"}


def failed_games(plan: Plan, inputs: Mapping[str, Any], shard: int, failed: int, rows: Sequence[dict[str, Any]]) -> str:
    """Report on a shard that is published with games that failed; rows of ``games`` tell of some of them."""
    games = [
        {
            **_game(plan, inputs, row["cell"], row["replication"]),
            "error": {name: value for name, value in row.items() if name not in _NOT_WHY and value is not None},
        }
        for row in rows
    ]
    return _shown({"shard": shard, "published": True, "failed": failed, "games": games})


def report_lost_shard(
    stored: Stored, shard: Shard, message: str, culprit: tuple[int, int] | None, trace: str = ""
) -> dict[str, Any]:
    """Stores the report on a shard that is given up, and returns it."""
    report = {
        "shard": shard.number,
        "published": False,
        "error": message,
        **({"traceback": trace.splitlines()} if trace else {}),
        "games": [_game(stored.plan, stored.inputs, *culprit)] if culprit else [],
        "cells": [{"cell": piece.cell, "first": piece.first, "count": piece.count} for piece in shard.pieces],
    }
    stored.store.publish_text(failures_file(shard.number), _shown(report), "failures")
    return report


def reported_shards(store: Store) -> set[int]:
    """Numbers of the shards that there is a report on."""
    return set(_report_files(store))


def reports(store: Store) -> list[dict[str, Any]]:
    """All reports on an experiment's failures, by shard. Raises `RunFailed` for one that is damaged."""
    with ThreadPoolExecutor(READ_AT_ONCE) as pool:  # an object store takes its time for each
        return list(pool.map(lambda path: _report(store, path), _report_files(store).values()))


def _report(store: Store, path: str) -> dict[str, Any]:
    document = read_json(store, path)
    checked(Report, document, store, path)
    return document


def _report_files(store: Store) -> dict[int, str]:
    """Paths of the reports, by shard."""
    found = ((_REPORT.fullmatch(path), path) for path in store.below("failures"))
    return {int(match[1]): path for match, path in found if match}


def _game(plan: Plan, inputs: Mapping[str, Any], number: int, replication: int) -> dict[str, Any]:
    cell = plan.cells[number]
    return {
        "cell": number,
        "replication": replication,
        "scenario": cell.scenario,
        "red_policy": cell.red_policy,
        "blue_policy": cell.blue_policy,
        "factors": cell.factors,
        "seed": cell.seed,
        "replay": replay_command(plan, inputs, number, replication),
    }


def replay_command(plan: Plan, inputs: Mapping[str, Any], number: int, replication: int) -> str:
    """The command that plays a game of an experiment again, with names that mean something outside of it.

    A user's own files are named without their folder.
    """
    cell = plan.cells[number]
    settings = {path: value for path, value in cell.factors.items() if not path.startswith("doctrine.")}
    words = ["duosuan", "play", cell.scenario]
    for side, key in (("blue", cell.inputs.blue), ("red", cell.inputs.red)):
        player = PlayerSpec(**inputs[key])
        words += [f"--{side}", f"{player.main}:{player.policy}" if player.sources else player.policy]
        defaults = {field.name: field.default for field in player.player().policy.doctrine}
        set_ = {name: value for name, value in player.doctrine.items() if value != defaults[name]}
        settings |= {f"doctrine.{side}.{name}": value for name, value in set_.items()}
    words += ["--seed", str(cell.seed), "--replication", str(replication)]
    for path, value in settings.items():
        words += ["--set", f"{path}={json.dumps(value)}"]
    return shlex.join(words)


def _shown(report: dict[str, Any]) -> str:
    return json.dumps(report, indent=2, ensure_ascii=False) + "\n"

"""Whole runs of each rulebook by one worker and by two, beside what a second process gives to peers' trivial models."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench_recording import EXPERIMENT, PAIRINGS, Recorded
from harness import Row
from shards import KERNEL, play_shards

PEERS = ("mesa", "ema_workbench", "axelrod")
ROOT = Path(__file__).parents[2]
MODELS = {
    "mesa": "Mesa batch_run: 22 agents roll a die 13 times",
    "ema_workbench": "EMA workbench: a function that doubles a number",
    "axelrod": "Axelrod: matches of 13 turns of four simple strategies",
}
REPEATS = 5
SPEED_UP = 1.8
GAMES = {"barbarossa": 60_000, "tank_hex": 12_000, "first_contact": 1_500}


def rows() -> list[Row]:
    """The rows of this file."""
    longer = [pairing._replace(games=GAMES[pairing.scenario.partition("/")[0]]) for pairing in PAIRINGS]
    outside = [_outside_the_kernel(pairing) for pairing in PAIRINGS]
    measured = [[(_duosuan(pairing, 2), _duosuan(pairing, 1)) for _ in range(REPEATS)] for pairing in longer]
    ours = [_of_ours(pairing, pairs) for pairing, pairs in zip(longer, measured, strict=True)]
    return [*outside, *ours, *(_of_a_peer(peer, measured[0]) for peer in PEERS)]


def _outside_the_kernel(pairing: Recorded) -> Row:
    """Where the processor's time goes in a worker that plays and records everything."""
    pairs = []
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as folder:
            spent = play_shards(EXPERIMENT.format(level="events", **pairing._asdict()), Path(folder))
        kernel = spent.processor_parts[KERNEL]
        pairs.append((1e6 * (spent.processor - kernel) / spent.games, 1e6 * kernel / spent.games))
    outside, kernel = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratios = [a / b for a, b in pairs]
    return Row(
        f"{pairing.scenario}, {pairing.blue}, recorded in full: processor outside the kernel",
        "µs/game",
        outside,
        "in the kernel",
        kernel,
        statistics.median(ratios),
        note=spent.shares(),
        spread=ratios,
    )


def _of_ours(pairing: Recorded, pairs: list[tuple[float, float]]) -> Row:
    two, one = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratios = [a / b for a, b in pairs]
    ratio = statistics.median(ratios)
    return Row(
        f"duosuan run, {pairing.scenario}, {pairing.blue}, recorded in full, 2 workers",
        "games/s",
        two,
        "1 worker",
        one,
        ratio,
        f"at least {SPEED_UP} times",
        ratio >= SPEED_UP,
        f"{pairing.games:,} games, from the first shards to the last",
        ratios,
    )


def _of_a_peer(peer: str, ours: list[tuple[float, float]]) -> Row:
    """What the second process gives: to our runs of Barbarossa and to a peer."""
    theirs = [(_runs(peer, 2), _runs(peer, 1)) for _ in range(REPEATS)]
    our_gains, their_gains = ([two / one for two, one in pairs] for pairs in (ours, theirs))
    gain, other = statistics.median(our_gains), statistics.median(their_gains)
    games, runs = (statistics.median(max(pair) for pair in pairs) for pairs in (ours, theirs))
    return Row(
        "the second process",
        "times",
        gain,
        MODELS[peer],
        other,
        gain / other,
        f"ours at least {SPEED_UP} times",
        gain >= SPEED_UP,
        f"at its best {runs:,.0f} runs/s of that model, where whole recorded games of Barbarossa are {games:,.0f}/s",
        their_gains,
    )


def _runs(peer: str, processes: int) -> float:
    """Runs a second of a peer's model."""
    command = [sys.executable, str(Path(__file__).with_name("peers.py")), peer, str(processes)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    measured = json.loads(done.stdout.splitlines()[-1])
    return measured["runs"] / measured["seconds"]


def _duosuan(pairing: Recorded, workers: int) -> float:
    """Games a second of a whole run, from where every worker has published a shard to the last one."""
    with tempfile.TemporaryDirectory() as name:
        file, archive = Path(name, "experiment.toml"), Path(name, "archive")
        file.write_text(EXPERIMENT.format(level="events", **pairing._asdict()))
        command = ["run", str(file), "--archive", str(archive), "--workers", str(workers)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        subprocess.run(
            [sys.executable, "-m", "cluster", *command], cwd=ROOT, env=environment, check=True, capture_output=True
        )
        times = sorted(path.stat().st_mtime for path in archive.rglob("games/*/*/shards-*.parquet"))
        counted = len(times) - workers
        return pairing.games * counted / len(times) / (times[-1] - times[workers - 1])

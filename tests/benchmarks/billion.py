"""``python tests/benchmarks/billion.py``: what a billion games would take, on paper, from the constants below.

``--measure`` measures the constants on this machine first (some minutes) and prints them as they stand here. Times are
a processor's (user and system), so that what else the machine does matters little.
"""

import argparse
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
GAMES = 1_000_000_000
PROCESSORS = 1_600
"""A hundred machines of 16."""
CELLS = 1_000
"""Cells of the experiment on paper."""
STORE_SECONDS = 0.03
STORE_BYTES = 1e8
LISTED = 1_000
"""Assumed of an object store, not measured: time of a request, bytes a second of one stream, names in a listing."""
LEVELS = ("games", "turns", "units", "events")


class Kind(NamedTuple):
    """What is played of a rulebook."""

    scenario: str
    blue: str
    red: str


KINDS = {
    "barbarossa": Kind("barbarossa/barbarossa", "steady", "medium"),
    "tank_hex": Kind("tank_hex/village_assault", "overwatch", "rush"),
    "first_contact": Kind("first_contact/prokhorovka", "combined", "combined"),
}


class Constants(NamedTuple):
    """What the paper rests on: seconds of a processor and bytes.

    ``seconds``, ``bytes``: for a game, played, recorded and written in a shard of the usual size, by rulebook and
    record level. ``result``: of the driver for a shard. ``cut``, ``held``: to cut a shard, to keep it. ``seen``: to
    find a file in a listing. ``swept``: to look whether a file is a remnant. ``opened``, ``hashed``: for each file and
    each byte of the digests in the end. ``footer``: of a question, for each file of games. ``planned``, ``read``: to
    plan a cell, to open it again; ``listed``, ``sent``: bytes of a cell in plan.json, and on its way to each worker.
    """

    seconds: dict[str, dict[str, float]]
    bytes: dict[str, dict[str, float]]
    result: float
    cut: float
    held: float
    seen: float
    swept: float
    opened: float
    hashed: float
    footer: float
    planned: float
    read: float
    listed: float
    sent: float


MEASURED = Constants(
    seconds={
        "barbarossa": {"games": 0.000208, "turns": 0.00027, "units": 0.000268, "events": 0.000358},
        "tank_hex": {"games": 0.000404, "turns": 0.000434, "units": 0.000453, "events": 0.000666},
        "first_contact": {"games": 0.00408, "turns": 0.00442, "units": 0.00657, "events": 0.00788},
    },
    bytes={
        "barbarossa": {"games": 7.61, "turns": 246.0, "units": 461.0, "events": 928.0},
        "tank_hex": {"games": 10.2, "turns": 157.0, "units": 305.0, "events": 1060.0},
        "first_contact": {"games": 15.0, "turns": 341.0, "units": 5120.0, "events": 9760.0},
    },
    result=0.00304,
    cut=7.4e-06,
    held=258.0,
    seen=6.65e-06,
    swept=1.76e-06,
    opened=0.000353,
    hashed=8.47e-10,
    footer=0.00128,
    planned=0.000729,
    read=0.000108,
    listed=460.0,
    sent=451.0,
)
"""Measured with --measure on two busy virtual processors (AMD EPYC), Python 3.11, the libraries of constraints.txt."""


# The paper


def shards(kind: Kind, record: str) -> float:
    """How many shards a billion games are cut into."""
    from cluster.plan import count_shards, first_round

    plan = _planned(_experiment(kind, record, GAMES // CELLS)).plan
    return count_shards(plan, [first_round(plan)]) * CELLS


WIDTHS = (11, 12, 9, 13, 16, 7)


def paper(known: Constants) -> list[str]:
    """The lines of the paper."""
    from cluster.plan import tables_at

    heads = ("rulebook, record", "shards", "files", "bytes", "processor h", "fed by a driver", "hours")
    lines = [f"{GAMES:,} games in {CELLS:,} cells on {PROCESSORS:,} processors with one driver", _line(*heads)]
    most: tuple[float, str, str] = (0, "", "")
    for rulebook, kind in KINDS.items():
        for record in LEVELS:
            n = shards(kind, record)
            seconds = known.seconds[rulebook][record] * GAMES
            fed = seconds / n / known.result
            lines.append(
                _line(
                    f"{rulebook}, {record}",
                    f"{n:,.0f}",
                    f"{n * len(tables_at(record)):,.0f}",
                    _size(known.bytes[rulebook][record] * GAMES),
                    f"{seconds / 3600:,.0f}",
                    f"{fed:,.0f}",
                    f"{seconds / min(fed, PROCESSORS) / 3600:.2f}",
                )
            )
            most = max(most, (n, rulebook, record))
    return [*lines, "", *_of_the_driver(known, *most)]


def _line(first: str, *others: str) -> str:
    return f"{first:23}" + "".join(f"{other:>{width}}" for other, width in zip(others, WIDTHS, strict=True))


def _of_the_driver(known: Constants, n: float, rulebook: str, record: str) -> list[str]:
    from cluster.plan import tables_at
    from cluster.sound import READERS

    games = known.bytes[rulebook]["games"] * GAMES
    files = n * len(tables_at(record))
    rows = [
        ("before the first game", None),
        ("plan a cell after another", CELLS * known.planned),
        ("cut the shards", n * known.cut),
        ("look for remnants, twice, in a folder", 2 * files * known.swept),
        ("while they are played", None),
        ("take results", n * known.result),
        ("after the last game", None),
        ("list what is done, from a folder", n * known.seen),
        ("... from an object store", n * known.seen + n / LISTED * STORE_SECONDS),
        ("digests of the games files, from a folder", n * known.opened + games * known.hashed),
        ("... from an object store", n * (known.opened + STORE_SECONDS / READERS) + games / STORE_BYTES),
        ("a question", None),
        ("list all files, from an object store", files * known.seen + files / LISTED * STORE_SECONDS),
        ("footers of the games files, before compacting", n * known.footer),
    ]
    lines = [f"the driver with {rulebook}, {record}: {n:,.0f} shards"]
    lines += [name if seconds is None else f"  {name:52}{_time(seconds):>12}" for name, seconds in rows]
    lines += [
        "bytes",
        f"  {'the driver keeps of its shards':52}{_size(n * known.held):>12}",
        f"  {'digests in the manifest':52}{_size(n * 145):>12}",
        f"  {'plan.json':52}{_size(CELLS * known.listed):>12}",
        f"  {'plan in each worker process':52}{_size(CELLS * known.sent):>12}",
    ]
    return lines


def _size(size: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:,.3g} {unit}"
        size /= 1000
    return f"{size:,.3g} TB"


def _time(seconds: float) -> str:
    return (
        f"{seconds:,.2g} s"
        if seconds < 100
        else f"{seconds / 60:,.0f} min"
        if seconds < 7200
        else f"{seconds / 3600:,.1f} h"
    )


# The constants


def measure() -> Constants:
    """All of them, measured on this machine."""
    games = {(rulebook, record): _games(kind, record) for rulebook, kind in KINDS.items() for record in LEVELS}
    by_level = [
        {rulebook: {record: games[rulebook, record][part] for record in LEVELS} for rulebook in KINDS}
        for part in (0, 1)
    ]
    return Constants(*by_level, _result(), *_cutting(), *_listing(), *_hashing(), _footer(), *_cells())


def _experiment(kind: Kind, record: str, games: int, cost: float = 1.0, levels: int = 1) -> str:
    own = f'[policies.own]\npolicy = "{kind.blue}"\ncost = {cost}\n' if cost > 1 else ""
    values = [number / 1e6 for number in range(levels)]
    factors = f'[play.factors]\n"doctrine.blue.least_chance" = {values}\n' if levels > 1 else ""
    return (
        f'name = "paper"\nseed = 1\nreplications = {games}\nrecord = "{record}"\n{own}'
        f'[[play]]\nscenarios = ["{kind.scenario}"]\nblue = ["{"own" if own else kind.blue}"]\n'
        f'red = ["{kind.red}"]\n{factors}'
    )


def _planned(text: str) -> Any:
    from cluster.experiment import read
    from cluster.planner import make_plan

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "paper.toml")
        file.write_text(text)
        return make_plan(read(str(file)))


def _stored(text: str, archive: str) -> Any:
    from cluster.archive import create
    from cluster.store import LocalStore

    planned = _planned(text)
    return create(LocalStore(archive), planned.plan, planned.inputs, text)


def _taken(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _games(kind: Kind, record: str) -> tuple[float, float]:
    """Seconds and bytes a game."""
    from cluster.plan import tables_at
    from cluster.watch import Watch
    from cluster.worker import Stage, publish_shard

    with tempfile.TemporaryDirectory() as archive:
        stored = _stored(_experiment(kind, record, GAMES // CELLS), archive)
        stage = Stage(stored.plan, stored.inputs)
        first = next(stored.shards())
        publish_shard(stage, stored.store, first, Watch())
        seconds = min(_taken(lambda: publish_shard(stage, stored.store, first, Watch(), again=True)) for _ in range(3))
        size = sum(stored.store.size(table) for table in tables_at(record))
    return seconds / first.games, size / first.games


def _result() -> float:
    """Seconds of the driver for a shard with as many under way as on paper: what more shards take it more."""
    few, many = 1_700, 5_700
    return (_driven(many) - _driven(few)) / (many - few)


def _driven(shards: int) -> float:
    command = [sys.executable, __file__, "--drive", str(shards)]
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    return json.loads(done.stdout.splitlines()[-1])


def drive(shards: int) -> None:
    """Plays so many shards of one game each on Ray, and prints what this process, the driver, took."""
    from cluster.dispatch import Options, on_ray, play_shards
    from cluster.progress import Tally

    with tempfile.TemporaryDirectory() as archive:
        stored = _stored(_experiment(KINDS["barbarossa"], "games", shards, cost=1e6), archive)
        found = list(stored.shards())
        assert len(found) == shards
        with on_ray(Options(workers=2), stored.store):  # two processors, and so many shards that wait for them
            print(_taken(lambda: play_shards(stored, found, Tally(shards, 0), Options(workers=PROCESSORS))))


def _cutting() -> tuple[float, float]:
    from cluster.plan import first_round, shards_of

    shards = 50_000
    plan = _planned(_experiment(KINDS["barbarossa"], "games", shards, cost=1e6)).plan
    seconds = _taken(lambda: list(shards_of(plan, [first_round(plan)])))
    tracemalloc.start()
    kept = list(shards_of(plan, [first_round(plan)]))
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return seconds / len(kept), held / len(kept)


def _listing() -> tuple[float, float]:
    from cluster.layout import done, shard_file
    from cluster.store import LocalStore

    files = 50_000
    with tempfile.TemporaryDirectory() as folder:
        store = LocalStore(folder)
        for number in range(files):
            path = Path(folder, shard_file("games", "barbarossa", number, number))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        return _taken(lambda: done(store)) / files, _taken(store.clear) / files


def _hashing() -> tuple[float, float]:
    """Seconds for each file and for each byte: from many small files and one large."""
    from cluster.layout import games_files
    from cluster.sound import look_at_all
    from queries.digests import digests

    files = 2_000
    with tempfile.TemporaryDirectory() as archive:
        stored = _stored(_experiment(KINDS["barbarossa"], "games", files, cost=1e6), archive)
        _publish_one(stored, archive)
        there = games_files(stored.store)
        opened = _taken(lambda: list(look_at_all(stored, there))) / files
    with tempfile.TemporaryFile() as large:
        size = 2**28
        large.write(bytes(size))
        large.seek(0)
        return opened, _taken(lambda: digests(large)) / size


def _footer() -> float:
    """Seconds of a question for each file: one that needs the number of games alone."""
    import queries

    files = 1_000
    with tempfile.TemporaryDirectory() as archive:
        stored = _stored(_experiment(KINDS["barbarossa"], "games", files, cost=1e6), archive)
        _publish_one(stored, archive)

        def ask() -> None:
            with queries.open(archive) as opened:
                assert opened.sql("select count(*) from games").fetchall() == [(files,)]

        return _taken(ask) / files


def _publish_one(stored: Any, archive: str) -> None:
    """Publishes the games of the first shard, under the names of all."""
    shards = list(stored.shards())
    _publish(stored, shards[:1])
    first = next(Path(archive).rglob("shards-*.parquet"))
    for shard in shards[1:]:
        os.link(first, first.with_name(f"shards-{shard.number:06d}-{shard.number:06d}.parquet"))


def _publish(stored: Any, shards: Any) -> None:
    from cluster.watch import Watch
    from cluster.worker import Stage, publish_shard

    stage = Stage(stored.plan, stored.inputs)
    for shard in shards:
        publish_shard(stage, stored.store, shard, Watch())


def _cells() -> tuple[float, float, float, float]:
    from cluster.archive import create, open_experiment
    from cluster.plan import canonical
    from cluster.store import LocalStore

    cells = 2_000
    text = _experiment(KINDS["barbarossa"], "games", 1, levels=cells)
    planned: list[Any] = []
    seconds = _taken(lambda: planned.append(_planned(text)))
    plan, inputs, _ = planned[0]
    with tempfile.TemporaryDirectory() as archive:
        store = create(LocalStore(archive), plan, inputs, text).store
        opened = _taken(lambda: open_experiment(store))
    listed = len(canonical(plan.model_dump(mode="json")).encode())
    return seconds / cells, opened / cells, listed / cells, len(pickle.dumps((plan, inputs))) / cells


def main() -> None:
    """Prints the paper, with ``--measure`` the constants before it."""
    parser = argparse.ArgumentParser(prog="python tests/benchmarks/billion.py", description=__doc__.split("\n")[0])
    parser.add_argument("--measure", action="store_true", help="measure the constants on this machine first")
    parser.add_argument("--drive", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    if chosen.drive:
        drive(chosen.drive)
        return
    known = MEASURED
    if chosen.measure:
        known = measure()
        print(*(f"{name}={_rounded(value)}," for name, value in known._asdict().items()), "", sep="\n")
    print(*paper(known), sep="\n")


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    return float(f"{value:.3g}")


if __name__ == "__main__":
    main()

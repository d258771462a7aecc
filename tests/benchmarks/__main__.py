"""``python tests/benchmarks``: measures on this machine and prints a table, a row for each thing beside its peer.

``--json`` and ``--markdown`` print the same for programs and for documents; a name or more runs only the files
``bench_<name>.py``. Each such file has a function ``rows() -> list[Row]``, and ``PEERS`` if it needs any: the modules
of what it sets ours beside.
"""

import argparse
import importlib
import importlib.util
import json
import os
import platform
import sys
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from types import ModuleType

from harness import Row

PEER_DISTRIBUTIONS = {"pyspiel": "open_spiel"}
PACKAGES = ("numpy", "numba", "pyarrow", "duckdb", "ray")


def main() -> None:
    """Runs the benchmarks that were asked for."""
    here = Path(__file__).parent
    known = sorted(path.stem.removeprefix("bench_") for path in here.glob("bench_*.py"))
    parser = argparse.ArgumentParser(prog="python tests/benchmarks", description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one or more of: {', '.join(known)}")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--markdown", action="store_true", help="print a Markdown table")
    chosen = parser.parse_args()
    unknown = set(chosen.names) - set(known)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    files = [importlib.import_module(f"bench_{name}") for name in chosen.names or known]
    peers = dict.fromkeys(peer for file in files for peer in getattr(file, "PEERS", ()))
    missing = [name for name in peers if importlib.util.find_spec(name) is None]
    if missing:
        parser.error(f"no {' and no '.join(missing)} to compare with: pip install -c constraints.txt -e '.[dev,bench]'")
    found = [row for file in files for row in _rows(file)]
    here = machine(peers)
    if chosen.json:
        print(json.dumps({"machine": here, "rows": [row.data() for row in found]}, indent=2))
    elif chosen.markdown:
        print(f"{here}\n\n{markdown(found)}")
    else:
        show(found, here)


def _rows(file: ModuleType) -> list[Row]:
    """The rows of a file; stderr tells how long they took."""
    start = time.perf_counter()
    found = file.rows()
    print(f"{file.__name__}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    return found


def machine(peers: Iterable[str]) -> str:
    """Processor and versions, in one line."""
    cpu = next((line.split(":")[1].strip() for line in _cpuinfo() if line.startswith("model name")), platform.machine())
    distributions = [*PACKAGES, *(PEER_DISTRIBUTIONS.get(peer, peer) for peer in peers)]
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in distributions)
    processors = len(os.sched_getaffinity(0))
    day = datetime.now(UTC).date()
    return f"{day}, {processors} processors ({cpu}), Python {platform.python_version()}, {versions}"


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.exists() else []


def cells(row: Row) -> list[str]:
    """A row as texts."""
    theirs = f"{row.theirs:,.4g}" if row.theirs is not None else ""
    ratio = f"{row.ratio:,.3g}" if row.ratio is not None else ""
    reached = {True: "reached", False: "missed", None: ""}[row.reached]
    target = f"{row.target}: {reached}" if reached else row.target
    return [row.name, f"{row.ours:,.4g} {row.unit}", row.peer, theirs, ratio, target, row.note]


HEADINGS = ("what", "ours", "beside", "theirs", "ratio", "target", "note")


def markdown(rows: list[Row]) -> str:
    """The table in Markdown."""
    lines = ["| " + " | ".join(HEADINGS) + " |", "|" + "---|" * len(HEADINGS)]
    return "\n".join(lines + ["| " + " | ".join(cells(row)) + " |" for row in rows])


def show(rows: list[Row], here: str) -> None:
    """Prints the table to the terminal."""
    from rich.console import Console
    from rich.table import Table

    table = Table(*HEADINGS, title=here)
    for row in rows:
        table.add_row(*cells(row))
    Console().print(table)


if __name__ == "__main__":
    main()

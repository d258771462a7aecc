"""Where each file of an experiment lies, and what the files that are there say about what is done.

`cluster/README.md` shows the layout and how to read it without us.
"""

import re
from pathlib import Path

from cluster.plan import Plan
from sim.rules_file import BadInput

MANIFEST = "manifest.json"
PLAN = "inputs/plan.json"
BUCKET = 1_000
"""Shards in a folder: no folder grows too long to list."""

_GAMES_FILE = re.compile(r"^shards-(\d+)-(\d+)\.parquet$")


def experiment_folder(plan: Plan) -> str:
    """Name of an experiment's folder in its archive."""
    return f"experiment={plan.name}-{plan.id[:8]}"


def input_file(name: str) -> str:
    """Path of an input, within the experiment's folder."""
    return f"inputs/{name}.json"


def round_file(number: int) -> str:
    """Path of a round of games that were added, within the experiment's folder."""
    return f"rounds/{number}.json"


def shard_file(table: str, rulebook: str, first: int, last: int) -> str:
    """Path of a table's file for shards ``first`` to ``last``, within the experiment's folder."""
    return f"{table}/rulebook={rulebook}/{first // BUCKET:03d}/shards-{first:06d}-{last:06d}.parquet"


def failures_file(shard: int) -> str:
    """Path of the report on a shard that failed or has games that did, within the experiment's folder."""
    return f"failures/shard-{shard:06d}.json"


def games_files(folder: Path) -> dict[Path, range]:
    """The published games files of an experiment and the shards that each covers, in the order of these."""
    found = {
        path: range(int(name[1]), int(name[2]) + 1)
        for path in folder.glob("games/rulebook=*/*/*.parquet")
        if (name := _GAMES_FILE.match(path.name))
    }
    return dict(sorted(found.items(), key=lambda item: item[1].start))


def done(folder: Path) -> set[int]:
    """Numbers of the shards that are done: those that a games file covers."""
    return {number for covered in games_files(folder).values() for number in covered}


def experiments(path: Path) -> list[Path]:
    """The experiment that a folder is, or those that it holds. Raises `BadInput` if there is none."""
    if (path / MANIFEST).is_file():
        return [path]
    found = sorted(manifest.parent for manifest in path.glob(f"experiment=*/{MANIFEST}"))
    if not found:
        raise BadInput("is no experiment and holds none" if path.is_dir() else "there is no such folder", file=path)
    return found


def one_experiment(path: Path) -> Path:
    """The experiment that a folder is, or the only one that it holds. Raises `BadInput` if there is not just one."""
    found = experiments(path)
    if len(found) > 1:
        raise BadInput(f"holds {len(found)} experiments: name one of them, such as {found[0]}", file=path)
    return found[0]


def check_archive(archive: Path) -> None:
    """Raises `BadInput` unless a path is an archive or may become one."""
    if str(archive).startswith("s3:"):
        raise BadInput("object stores are not supported: use a folder", file=archive)
    if archive.exists() and not archive.is_dir():
        raise BadInput("is a file, not a folder", file=archive)
    if archive.is_dir():
        content = sorted(path.name for path in archive.iterdir() if not path.name.startswith("."))
        if content and not any(name.startswith("experiment=") for name in content):
            raise BadInput(f"holds other things ({content[0]}) and no experiment: use a new folder", file=archive)

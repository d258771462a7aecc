"""Where each file of an experiment lies, and what the files that are there say about what is done.

`cluster/README.md` shows the layout and how to read it without us.
"""

from cluster.plan import Plan
from cluster.store import Store
from queries.catalog import FOLDER, choose, runs_of
from sim.rules_file import BadInput

MANIFEST = "manifest.json"
PLAN = "inputs/plan.json"
BUCKET = 1_000
"""Shards in a folder: no folder grows too long to list."""


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


def beside(path: str, table: str) -> str:
    """Path of a table's file that belongs to a games file."""
    return f"{table}/{path.removeprefix('games/')}"


def failures_file(shard: int) -> str:
    """Path of the report on a shard that failed or has games that did, within the experiment's folder."""
    return f"failures/shard-{shard:06d}.json"


def games_files(store: Store) -> dict[str, range]:
    """The published games files of an experiment and the shards that each covers, in the order of these.

    Where two overlap only the wider one counts: a compaction publishes it before it takes the narrow ones away.
    """
    runs = choose(runs_of(path.removeprefix("games/") for path in store.below("games")))
    return {f"games/{run.path}": range(run.first, run.last + 1) for run in runs}


def done(store: Store) -> set[int]:
    """Numbers of the shards that are done: those that a games file covers."""
    return {number for covered in games_files(store).values() for number in covered}


def experiments(store: Store) -> list[Store]:
    """The experiment that a folder is, or those that it holds. Raises `BadInput` if there is none."""
    if store.exists(MANIFEST):
        return [store]
    try:
        found: list[Store] = [store.at(name) for name in store.folders() if FOLDER.fullmatch(name)]
    except (FileNotFoundError, NotADirectoryError):
        raise BadInput("there is no such folder", file=str(store)) from None
    found = [each for each in found if each.exists(MANIFEST)]
    if not found:
        raise BadInput("is no experiment and holds none", file=str(store))
    return found


def one_experiment(store: Store) -> Store:
    """The experiment that a folder is, or the only one that it holds. Raises `BadInput` if there is not just one."""
    found = experiments(store)
    if len(found) > 1:
        raise BadInput(f"holds {len(found)} experiments: name one of them, such as {found[0]}", file=str(store))
    return found[0]


def check_archive(store: Store) -> None:
    """Raises `BadInput` unless a place is an archive or may become one."""
    try:
        content = [name for name in store.names() if not name.startswith(".")]
    except NotADirectoryError:
        raise BadInput("is a file, not a folder", file=str(store)) from None
    if content and not any(name.startswith("experiment=") for name in content):
        raise BadInput(f"holds other things ({content[0]}) and no experiment: use a new folder", file=str(store))

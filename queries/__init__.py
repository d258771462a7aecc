"""Asking an archive: views, questions, and what is made of their answers.

    import queries

    with queries.open("archives/demo") as archive:
        archive.question("win_rates").show()
        archive.sql("select scenario, count(*) as games from games group by all").df()

See README.md in this folder for the tables, the questions and recipes.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from queries.archive import Archive


def open(path: str, *, experiments: Sequence[str] = (), skip_damaged: bool = False) -> "Archive":
    """An archive, or one experiment of it, to ask: a folder or an address such as ``s3://bucket/prefix``.

    ``experiments`` keeps to those of these names (or ids). ``skip_damaged`` reads every file once to check it against
    its digest and leaves out the shards that do not agree. Raises `sim.rules_file.BadInput` where there is no archive.
    """
    from queries.archive import Archive  # brings DuckDB, which `list` and `show` do without

    return Archive(path, experiments=experiments, skip_damaged=skip_damaged)

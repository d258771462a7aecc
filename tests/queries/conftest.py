from pathlib import Path
from typing import Any

import pytest

import queries
from queries.archive import Archive
from tests.small_archives import SmallExperiment


@pytest.fixture
def small(tmp_path):
    """Makes experiments in one archive: ``small("name", cells=..., ...)``."""

    def make(name: str = "demo", **options: Any) -> SmallExperiment:
        return SmallExperiment(tmp_path / "archive", name, **options)

    return make


@pytest.fixture
def opened(tmp_path):
    """Opens that archive; closed when the test ends."""
    archives: list[Archive] = []

    def open_it(path: Path | None = None, **options: Any) -> Archive:
        archives.append(queries.open(str(path or tmp_path / "archive"), **options))
        return archives[-1]

    yield open_it
    for archive in archives:
        archive.close()


def rows_of(relation: Any) -> list[dict[str, Any]]:
    """The rows of an answer as dictionaries."""
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


@pytest.fixture
def ask(opened):
    """The rows that answer a question of that archive, each with only the columns named."""

    def answer(question: str, columns: str = "", **parameters: Any) -> list:
        found = rows_of(opened().question(question, **parameters))
        wanted = columns.split()
        return [tuple(row[name] for name in wanted) for row in found] if wanted else found

    return answer

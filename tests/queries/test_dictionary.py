"""What is derived from the FIELDS tables is current."""

import pytest

import sim
from queries import dictionary
from queries.schema import schema


def test_columns_sql_is_current():
    written = (dictionary.HERE / "views/columns.sql").read_text(encoding="utf-8")
    assert written == dictionary.columns_sql(), "run: python -m queries.dictionary"


def test_rulebooks_sql_is_current():
    written = (dictionary.HERE / "views/rulebooks.sql").read_text(encoding="utf-8")
    assert written == dictionary.rulebooks_sql(), "run: python -m queries.dictionary"


def test_readme_is_current():
    written = (dictionary.HERE / "README.md").read_text(encoding="utf-8")
    assert written == dictionary.with_derived(written), "run: python -m queries.dictionary"


@pytest.mark.parametrize("rulebook", sim.RULEBOOKS)
@pytest.mark.parametrize("table", dictionary.TABLES)
def test_every_column_of_every_rulebook_is_explained(rulebook, table):
    explained = {column.name: column for column in dictionary.columns_of(table)}
    for column in schema(sim.rulebook(rulebook), table):
        assert explained[column.name].meanings

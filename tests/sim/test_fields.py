"""FIELDS tables and the records that they make."""

import numpy as np
import pytest

import sim
from sim.fields import (
    COMMON,
    PLACE_NAMES,
    UNIT_NAMES,
    Field,
    Tables,
    layout,
    merged,
    numbered,
    record_dtype,
    records,
    unwritten,
)

ARCHIVE_TYPES = {"bool", "name", "", "float64", *(f"int{bits}" for bits in (8, 16, 32, 64))}
TABLES = [(name, table) for name in sim.RULEBOOKS for table in Tables._fields]
FIELDS = (
    Field("men", "int16", "men", "man"),
    Field("due", "int8", "turn", empty=-1),
    Field("x", "float64", "x", state="f8"),
)


def test_every_member_of_a_record_has_64_bits():
    dtype = record_dtype(FIELDS)
    assert [dtype[name].itemsize for name in dtype.names] == [8, 8, 8]
    assert dtype.itemsize == 24
    assert dtype["x"] == np.float64


def test_records_start_empty():
    rows = records(FIELDS, 2, 3)
    assert rows.shape == (2, 3)
    assert (rows.due == -1).all()
    assert (rows.men == 0).all()
    assert unwritten(FIELDS, 0, 5).shape == (0, 5)


def test_names_are_numbered_from_0():
    first, second = numbered(["a", "b"])
    assert (first, second) == (0, 1)
    assert type(first) is np.int64
    assert list(numbered(3)) == [0, 1, 2]


def test_a_layout_holds_numbers_arrays_and_records():
    dtype = layout(("turn", (), "turn"), ("table", (2, 3), "table"), ("units", (4,), "units", FIELDS))
    state = np.zeros(1, dtype).view(np.recarray)
    assert state[0].table.shape == (2, 3)
    assert state[0].units.dtype["men"] == np.int64
    assert dtype.itemsize == 8 * (1 + 6 + 4 * 3)
    assert np.empty(1, dtype)[0].units.shape == (4,)  # without a view, as compiled code makes it


def test_own_fields_take_the_place_of_common_ones():
    common = (Field("kind", "name", "what"), Field("side", "name", "side"))
    own = (Field("extra", "int8", "more"), Field("kind", "int8", "mine"))
    assert [(field.name, field.archive) for field in merged(common, own)] == [
        ("kind", "int8"),
        ("side", "name"),
        ("extra", "int8"),
    ]


@pytest.mark.parametrize(("rulebook", "table"), TABLES)
def test_fields_are_explained_and_can_be_archived(rulebook, table):
    fields = merged(getattr(COMMON, table), getattr(sim.rulebook(rulebook).tables, table))
    names = [field.name for field in fields]
    assert len(set(names)) == len(names)
    for field in fields:
        assert field.archive in ARCHIVE_TYPES, field
        assert field.meaning, field
        if isinstance(field.names, str):
            assert field.names in {UNIT_NAMES, PLACE_NAMES}, field
        if field.archive.startswith("int"):
            limits = np.iinfo(field.archive)
            assert field.empty is None or limits.min <= field.empty <= limits.max, field


@pytest.mark.parametrize(("rulebook", "table"), TABLES)
def test_a_field_that_takes_a_common_place_is_archived_alike(rulebook, table):
    """Views read all rulebooks at once: one column, one type."""
    common = {field.name: field for field in getattr(COMMON, table)}
    for field in getattr(sim.rulebook(rulebook).tables, table):
        if field.name in common and field.archive:
            assert field.archive == common[field.name].archive, field

"""Columns of the archive's tables: what Arrow would make of the same values itself."""

import numpy as np
import pyarrow as pa
import pytest

from cluster.tables import _array, _named  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize("kind", ["bool", "int8", "int16", "int32", "int64", "float64"])
@pytest.mark.parametrize("n", [0, 1, 8, 13])
def test_a_column_is_what_arrow_makes_of_it(kind, n):
    every_second = (np.arange(2 * n) % 3).astype(kind)[::2]
    null = np.arange(n) % 4 == 1
    for mask in (None, null, np.zeros(n, bool)):
        ours = _array(every_second, mask)
        ours.validate(full=True)
        assert ours.type == pa.from_numpy_dtype(np.dtype(kind))
        assert ours.equals(pa.array(every_second, mask=mask))
        assert ours.null_count == (0 if mask is None else mask.sum())


def test_names_are_kept_once_and_in_any_alphabet():
    column = _named(np.array([2, 0, 0, 1], np.int16), ("Kiev", "", "Сталинград"), np.array([False, False, True, False]))
    column.validate(full=True)
    assert column.type == pa.dictionary(pa.int16(), pa.string())
    assert column.to_pylist() == ["Сталинград", "Kiev", None, ""]
    assert column.dictionary.to_pylist() == ["Kiev", "", "Сталинград"]

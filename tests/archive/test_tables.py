"""Columns of the archive's tables: what Arrow would make of the same values itself."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from cluster.tables import array, named, texts

ROOT = Path(__file__).parents[2]
EXPERIMENT = """
name = "small"
seed = 1
replications = 4
record = "events"
[[play]]
scenarios = ["barbarossa/blue"]
blue = ["hold"]
red = ["easy"]
"""


@pytest.mark.parametrize("kind", ["bool", "int8", "int16", "int32", "int64", "float64"])
@pytest.mark.parametrize("n", [0, 1, 8, 13])
def test_a_column_is_what_arrow_makes_of_it(kind, n):
    every_second = (np.arange(2 * n) % 3).astype(kind)[::2]
    null = np.arange(n) % 4 == 1
    for mask in (None, null, np.zeros(n, bool)):
        ours = array(every_second, mask)
        ours.validate(full=True)
        assert ours.type == pa.from_numpy_dtype(np.dtype(kind))
        assert ours.equals(pa.array(every_second, mask=mask))
        assert ours.null_count == (0 if mask is None else mask.sum())


def test_names_are_kept_once_and_in_any_alphabet():
    column = named(np.array([2, 0, 0, 1], np.int16), ("Kiev", "", "Сталинград"), np.array([False, False, True, False]))
    column.validate(full=True)
    assert column.type == pa.dictionary(pa.int16(), pa.string())
    assert column.to_pylist() == ["Сталинград", "Kiev", None, ""]
    assert column.dictionary.to_pylist() == ["Kiev", "", "Сталинград"]


def test_a_text_that_is_not_there_is_null():
    column = texts(["eins", "", "drei"], np.array([False, True, False]))
    column.validate(full=True)
    assert column.to_pylist() == ["eins", None, "drei"]


def test_a_run_does_not_import_pandas(tmp_path):
    # It is looked for even where it is not installed, so this fails with and without it.
    run = """
import sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "pandas":
            print("pandas", file=sys.stderr)

sys.meta_path.insert(0, Finder())
import queries.summary
queries.summary.print_summary = lambda folder: None
from cluster.cli import run
sys.exit(run(["run", "experiment.toml", "--archive", "archive", "--inline"]))
"""
    (tmp_path / "experiment.toml").write_text(EXPERIMENT)
    command = [sys.executable, "-c", run]
    done = subprocess.run(
        command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "pandas" not in done.stderr

"""Designs of experiments: which values of its factors an experiment tries together."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from cluster.nearly_orthogonal import designs
from sim.rules_file import BadInput, Strict, one_of, read_file, shown, wrong_value

Value = str | bool | int | float
"""What a factor may be set to."""

Point = dict[str, Value]
"""A design point: one value for each factor."""

DIGITS = 6
"""Significant digits of a value within a range: it is a setting that a person can type."""
MOST_POINTS = 100_000
MOST_FACTORS = 1_000
MOST_LIST_BYTES = 16 * 2**20
"""A list of points is in no larger file ..."""
MOST_UNPACKED_BYTES = 256 * 2**20
"""... and takes no more memory than this."""


class Factor(Strict):
    """What is varied: some ``levels``, or a range from ``low`` to ``high``, whole numbers if both are.

    ``steps`` of a range are its levels in a grid. A list by itself is a factor's levels.
    """

    levels: list[Value] | None = Field(default=None, min_length=1)
    low: int | float | None = None
    high: int | float | None = None
    steps: int | None = Field(default=None, ge=2, le=MOST_POINTS)
    unit: str = ""

    @model_validator(mode="before")
    @classmethod
    def _from_a_list(cls, given: Any) -> Any:
        return {"levels": given} if isinstance(given, list) else given

    @model_validator(mode="after")
    def _has_levels_or_a_range(self) -> "Factor":
        if self.levels is not None:
            if self.model_fields_set & {"low", "high", "steps"}:
                raise ValueError("has levels: leave out low, high and steps")
            if len({(type(level), level) for level in self.levels}) < len(self.levels):
                raise ValueError("a level is there twice")
        elif self.low is None or self.high is None:
            raise ValueError("needs levels, or low and high")
        elif not self.low < self.high:
            raise ValueError(f"low = {self.low} is not below high = {self.high}")
        elif self.is_whole and self.steps and self.steps > self.high - self.low + 1:
            raise ValueError(f"steps = {self.steps}: there are {int(self.high - self.low) + 1} whole numbers")
        return self

    @property
    def is_whole(self) -> bool:
        """Whether it is a range of whole numbers."""
        return isinstance(self.low, int) and isinstance(self.high, int)

    def at(self, share: float) -> Value:
        """The level or the value at a share of the way, 0 to 1."""
        if self.levels is not None:
            return self.levels[min(int(share * len(self.levels)), len(self.levels) - 1)]
        assert self.low is not None
        assert self.high is not None
        value = self.low + share * (self.high - self.low)
        return round(value) if self.is_whole else float(f"{value:.{DIGITS}g}")

    @property
    def count(self) -> int:
        """How many levels it has; 0 for a range without steps."""
        return len(self.levels) if self.levels is not None else self.steps or 0

    def all_levels(self) -> list[Value] | None:
        """All its levels; None for a range without steps."""
        if self.levels is not None or self.steps is None:
            return self.levels
        return [self.at(step / (self.steps - 1)) for step in range(self.steps)]


class Design(Strict):
    """How the factors go together; ``kind`` is one of `DESIGNS`.

    ``points`` and ``seed`` are for designs that fill space; a ``list`` has its points in ``rows`` or in a ``file``
    (CSV or Parquet), a column for each factor.
    """

    kind: str = "grid"
    points: int | None = Field(default=None, ge=1, le=MOST_POINTS)
    seed: int = Field(default=0, ge=0, lt=2**64)
    rows: list[Point] | None = None
    file: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_its_kind(cls, given: Any) -> Any:
        return {"kind": given} if isinstance(given, str) else given

    @model_validator(mode="after")
    def _fits_its_kind(self) -> "Design":
        if self.kind not in DESIGNS:
            raise ValueError(f"{self.kind!r} is wrong: use {one_of(DESIGNS, self.kind)}")
        made = DESIGNS[self.kind]
        for key in ("points", "seed", "rows", "file"):
            if key in self.model_fields_set and key not in made.keys:
                allowed = f"it takes {one_of(made.keys)}" if made.keys else "it takes nothing else"
                raise ValueError(f"{key} is not for a design of the kind {self.kind!r}: {allowed}")
        if self.kind == "list" and (self.rows is None) == (self.file is None):
            raise ValueError("a list needs either rows or a file")
        if self.kind in ("latin_hypercube", "sobol") and self.points is None:
            raise ValueError(f"points are missing: how many shall a design of the kind {self.kind!r} have?")
        return self


def points_of(design: Design, factors: Mapping[str, Factor], folder: Path) -> list[Point]:
    """The points of a design; those that come to the same are there once. ``folder`` is where its file is sought.

    Raises `BadInput` if design and factors don't go together, or the file is missing or wrong.
    """
    if design.kind == "list" and factors:
        raise BadInput("a list of points names its factors itself: leave out the factors", key="design.kind")
    count_points(design, factors)
    points = DESIGNS[design.kind].make(design, factors, folder)
    unique = {tuple((type(value), value) for value in point.values()): point for point in points}
    return list(unique.values())


def count_points(design: Design, factors: Mapping[str, Factor]) -> int:
    """How many points a design has at most, as far as that can be said before any is made.

    Raises `BadInput` if they are too many.
    """
    counts = [max(1, factor.count) for factor in factors.values()]
    if design.kind == "grid":
        points = math.prod(counts)
    else:
        points = 1 + sum(counts) - len(counts) if design.kind == "one_at_a_time" else design.points or 1
    if points > MOST_POINTS:
        raise BadInput(f"make more than {MOST_POINTS} points in a {design.kind} design", key="factors")
    return points


def units_of(factors: Mapping[str, Factor]) -> dict[str, str]:
    """The unit of each factor that has one."""
    return {name: factor.unit for name, factor in factors.items() if factor.unit}


def correlations(points: Sequence[Point]) -> tuple[list[str], np.ndarray]:
    """The factors that vary and the correlation of each two of them, float64 (factors, factors).

    A factor whose levels are no numbers counts by the order in which they first come.
    """
    columns = {}
    for name in points[0] if points else ():
        values = [point[name] for point in points]
        numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
        order = {value: place for place, value in enumerate(dict.fromkeys(values))}
        column = np.array([value if numbers else order[value] for value in values], float)
        if column.std() > 0:
            columns[name] = column
    return list(columns), np.atleast_2d(np.corrcoef(list(columns.values()))) if columns else np.empty((0, 0))


def _levels(name: str, factor: Factor) -> list[Value]:
    levels = factor.all_levels()
    if levels is None:
        message = "is a range: give it `steps`, or choose a design that fills space, such as latin_hypercube"
        raise BadInput(message, key=f"factors.{name}")
    return levels


def _grid(design: Design, factors: Mapping[str, Factor], folder: Path) -> list[Point]:
    """Every combination of levels, the last factor changing fastest; one empty point without factors."""
    levels = [_levels(name, factor) for name, factor in factors.items()]
    return [dict(zip(factors, point, strict=True)) for point in itertools.product(*levels)]


def _one_at_a_time(design: Design, factors: Mapping[str, Factor], folder: Path) -> list[Point]:
    """The base point, which has the first level of every factor, then each other level with the rest at the base."""
    levels = {name: _levels(name, factor) for name, factor in factors.items()}
    base = {name: values[0] for name, values in levels.items()}
    return [base] + [{**base, name: value} for name, values in levels.items() for value in values[1:]]


def _list(design: Design, factors: Mapping[str, Factor], folder: Path) -> list[Point]:
    """The points that are given. All of them name the same factors."""
    where = "design.rows" if design.file is None else f"design.file {design.file}"
    rows = _rows_in(folder / design.file) if design.file is not None else design.rows or []
    if not rows or not rows[0]:
        raise BadInput("has no points", key=where)
    for number, row in enumerate(rows):
        if row.keys() != rows[0].keys() or None in row.values():
            raise BadInput(f"point {number} has not a value for each of {', '.join(rows[0])}", key=where)
        for name, value in row.items():
            if wrong := wrong_value(value):
                raise BadInput(f"point {number}: {name}: {shown(value)} is wrong: {wrong}", key=where)
    return rows


def _rows_in(file: Path) -> list[Point]:
    import pyarrow as pa

    readers = {".csv": _csv, ".parquet": _parquet}
    if file.suffix not in readers:
        raise BadInput(f"ends in {file.suffix!r}: use {one_of(readers)}", file=file)
    content = read_file(file, MOST_LIST_BYTES)
    try:
        table = readers[file.suffix](content, file)
    except (OSError, pa.ArrowException) as error:
        raise BadInput(f"cannot be read: {error}", file=file) from None
    names = table.column_names
    if twice := [name for name in names if names.count(name) > 1]:
        raise BadInput(f"has the column {twice[0]!r} twice", file=file)
    return table.to_pylist()


def _csv(content: bytes, file: Path) -> Any:
    """The table in a CSV file."""
    import pyarrow as pa
    import pyarrow.csv as csv

    try:
        content.decode()
    except UnicodeDecodeError:
        raise BadInput("is not a text file in UTF-8", file=file) from None
    _refuse_more(content.count(b"\n") - 1, content.partition(b"\n")[0].count(b",") + 1, file)
    return csv.read_csv(pa.BufferReader(content))


def _parquet(content: bytes, file: Path) -> Any:
    """The table in a Parquet file, if it does not unpack into very much."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    opened = pq.ParquetFile(pa.BufferReader(content))
    about = opened.metadata
    _refuse_more(about.num_rows, about.num_columns, file)
    size = sum(about.row_group(number).total_byte_size for number in range(about.num_row_groups))
    if size > MOST_UNPACKED_BYTES:
        raise BadInput(f"holds {size:,} bytes: use one of at most {MOST_UNPACKED_BYTES:,}", file=file)
    return opened.read()


def _refuse_more(points: int, factors: int, file: Path) -> None:
    if points > MOST_POINTS:
        raise BadInput(f"has {points:,} points: use at most {MOST_POINTS:,}", file=file)
    if factors > MOST_FACTORS:
        raise BadInput(f"has {factors:,} columns: use at most {MOST_FACTORS:,}", file=file)


def _latin_hypercube(design: Design, factors: Mapping[str, Factor], folder: Path) -> list[Point]:
    """Each factor in as many even strata as there are points, little correlated (McKay, Beckman and Conover 1979)."""
    from scipy.stats import qmc

    n = design.points or 0
    optimization = "random-cd" if len(factors) > 1 and n > 1 else None
    sampler = qmc.LatinHypercube(len(factors), scramble=False, optimization=optimization, rng=design.seed)
    return _placed(factors, sampler.random(n))


def _sobol(design: Design, factors: Mapping[str, Factor], folder: Path) -> list[Point]:
    """A scrambled Sobol sequence (Owen 1998); its points are a power of 2."""
    from scipy.stats import qmc

    n = design.points or 0
    if n & (n - 1):
        near = 1 << n.bit_length()
        raise BadInput(f"{n} is no power of 2: use {near // 2} or {near}", key="design.points")
    return _placed(factors, qmc.Sobol(len(factors), rng=design.seed).random_base2(n.bit_length() - 1))


def _nearly_orthogonal(design: Design, factors: Mapping[str, Factor], folder: Path) -> list[Point]:
    """The smallest nearly orthogonal Latin hypercube that has columns enough, or that with so many points."""
    known = designs()
    fitting = [points for points, levels in known.items() if levels.shape[1] >= len(factors)]
    if design.points is not None:
        fitting = [points for points in fitting if points == design.points]
    if not fitting:
        have = ", ".join(f"{levels.shape[1]} factors in {points} points" for points, levels in known.items())
        raise BadInput(f"there is none for {len(factors)} factors: there are designs for {have}", key="design")
    levels = known[min(fitting)][:, : len(factors)]
    return _placed(factors, levels / (len(levels) - 1))


def _placed(factors: Mapping[str, Factor], shares: np.ndarray) -> list[Point]:
    """Points whose factors lie at shares of their range or their levels, float64 (points, factors)."""
    return [dict(zip(factors, map(Factor.at, factors.values(), row), strict=True)) for row in shares.tolist()]


class _Kind(NamedTuple):
    """How a kind of design is made, and the keys of `Design` that it takes."""

    make: Callable[[Design, Mapping[str, Factor], Path], list[Point]]
    keys: tuple[str, ...] = ()


DESIGNS: dict[str, _Kind] = {
    "grid": _Kind(_grid),
    "one_at_a_time": _Kind(_one_at_a_time),
    "list": _Kind(_list, ("rows", "file")),
    "latin_hypercube": _Kind(_latin_hypercube, ("points", "seed")),
    "sobol": _Kind(_sobol, ("points", "seed")),
    "nearly_orthogonal": _Kind(_nearly_orthogonal, ("points",)),
}
"""Designs by the name that an experiment calls them by."""

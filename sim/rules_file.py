"""Rules, maps and scenarios as TOML files, checked before anything is played.

Whatever is wrong with a file is said in one line that names file, key, value and what would be right: `BadInput`.
"""

import difflib
import json
import os
import re
import stat
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

NAME_PATTERN = r"[a-z][a-z0-9_-]{0,40}"
"""What names of scenarios, policies and experiments look like."""

MOST_BYTES = 2**20
"""A TOML file is not larger: a megabyte takes a second to read."""
MOST_DEPTH = 40
"""Tables and lists within each other, and parts of a dotted key."""
MOST_NUMBER = 1_000_000
"""No number of a rulebook, map or scenario is larger: their sums and products fit into 64 bits."""
MOST_FLOAT = 1e300
"""Differences of numbers are finite, too."""
MOST_SAID = 400
"""Characters of a message; the middle of a longer one is left out."""
MOST_PATH = 1_000
"""Characters of a file's path in a message."""
MOST_NEAR = 1_000
"""Among more names the nearest is not sought."""
CLAUSE_PATTERN = r"^[A-Z]{2}-\d+\.\d+$"
"""What the clauses of rulebooks are called: two letters of the rulebook's own, chapter and number."""

Name = Annotated[str, Field(pattern=f"^{NAME_PATTERN}$")]
Whole = Annotated[int, Field(ge=-MOST_NUMBER, le=MOST_NUMBER)]
Count = Annotated[int, Field(ge=0, le=MOST_NUMBER)]
Positive = Annotated[int, Field(ge=1, le=MOST_NUMBER)]
T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


class BadInput(Exception):
    """Something that a user gave is wrong; the message is one line that says what and what would be right."""

    def __init__(self, message: str, *, file: str | Path | None = None, key: str | None = None) -> None:
        parts = [_in_one_line(str(file), MOST_PATH)] if file else []
        parts += [_in_one_line(str(key), MOST_SAID // 2)] if key else []
        super().__init__(": ".join([*parts, _in_one_line(" ".join(message.split()), MOST_SAID)]))


def _in_one_line(text: str, most: int) -> str:
    """A text of at most so many signs; those that move the cursor or cannot be seen are as Python writes them."""
    visible = (
        sign if sign.isprintable() else sign.encode("unicode_escape", "surrogatepass").decode()
        for sign in _shortened(text, most)
    )
    return _shortened("".join(visible), most)


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most // 2]} … {text[len(text) - most // 2 + 3 :]}"


def one_of(names: Iterable[object], given: object | None = None) -> str:
    """'a, b or c', and with a value given also the nearest of them: the end of many a `BadInput`."""
    known = [str(name) for name in names]
    if not known:
        return "there is none"
    text = known[0] if len(known) == 1 else f"{', '.join(known[:-1])} or {known[-1]}"
    is_sought = given is not None and len(known) <= MOST_NEAR
    near = difflib.get_close_matches(str(given)[:100], known, 1, 0.5) if is_sought else []
    return f"{text} (did you mean {near[0]}?)" if near else text


class Strict(BaseModel):
    """Base of every checked document: an unknown key or a wrong type is refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Entry(Strict, Generic[T]):
    """A number or table of a rulebook with the clause that it comes from and its unit of measure."""

    value: T
    clause: str = Field(pattern=CLAUSE_PATTERN)
    unit: str = Field(min_length=1)
    note: str = ""


class Option(Strict):
    """A reading of the rulebook that has sensible alternatives: the one in force, and all of them in order."""

    value: str | bool | int
    choices: list[str | bool | int] = Field(min_length=2)
    clause: str = Field(pattern=CLAUSE_PATTERN)
    note: str = ""

    @model_validator(mode="after")
    def _value_is_a_choice(self) -> "Option":
        if not any(
            self.value is choice or (self.value == choice and type(self.value) is type(choice))
            for choice in self.choices
        ):
            raise ValueError(f"{self.value!r} is not allowed: use {one_of(map(_toml, self.choices), self.value)}")
        return self

    @property
    def number(self) -> int:
        """Place of the value among the choices: what compiled rules see. False is 0 and true is 1."""
        return self.choices.index(self.value)


def drawing(rows: int, columns: int, signs: str) -> AfterValidator:
    """Of a text that draws a board in such signs: it is read as one row after another, without spaces."""

    def joined(text: str) -> str:
        lines = ["".join(line.split()) for line in text.splitlines() if line.strip()]
        if [len(line) for line in lines] != [columns] * rows or set("".join(lines)) - set(signs):
            raise ValueError(f"draw {rows} rows of {columns} signs, each one of {signs}")
        return "".join(lines)

    return AfterValidator(joined)


class MapDocument(Strict):
    """What every map has; those of a rulebook say the rest."""

    name: Name
    rulebook: str


class ScenarioDocument(Strict):
    """What every scenario has; those of a rulebook say the rest. ``sides`` are the display names of red and blue."""

    name: Name
    aliases: list[Name] = []
    rulebook: str
    title: str
    map: Name
    sides: Annotated[dict[Literal["red", "blue"], str], Field(min_length=2)]


def read_file(path: Path, most: int = MOST_BYTES) -> bytes:
    """The content of a file of at most so many bytes.

    Raises `BadInput` if it is larger, cannot be read or is no file that has an end, such as a pipe.
    """
    try:
        kind = os.stat(path).st_mode
        if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
            raise BadInput("is a pipe or a device: use a regular file", file=path)
        with open(path, "rb") as file:
            content = file.read(most + 1)
    except FileNotFoundError:
        raise BadInput("there is no such file", file=path) from None
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", file=path) from None
    except ValueError:  # a NUL, or a sign that no file name can have
        raise BadInput("is no possible name of a file", file=path) from None
    if len(content) > most:
        raise BadInput(f"is too large: use a file of at most {most // 2**20} MB", file=path)
    return content


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """The text in a file, with lines that end as on Unix. Raises `BadInput` as `read_file`, and if it is not UTF-8."""
    content = read_file(path, most)
    try:
        return content.decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise BadInput("is not a text file in UTF-8", file=path) from None


def read_toml(path: Path) -> dict[str, Any]:
    """The TOML file at a path. Raises `BadInput` if it cannot be read or is not TOML."""
    return parse_toml(read_text(path), path)


PART = r"""(?:(?<![\w-])[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
LONG_KEY = re.compile(rf"(?:{PART}[ \t]*+\.[ \t]*+){{{MOST_DEPTH}}}")


def parse_toml(text: str, file: str | Path) -> dict[str, Any]:
    """A TOML text, of values that our documents may have. Raises `BadInput` for anything else."""
    if text.startswith("\ufeff"):
        raise BadInput("begins with a byte order mark: save it as UTF-8 without one", file=file)
    if LONG_KEY.search(text):  # it would take memory that grows with the square of its length
        raise BadInput(f"has a key of more than {MOST_DEPTH} parts", file=file)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"is not valid TOML: {error}", file=file) from None
    except RecursionError:
        raise BadInput(f"has lists or tables more than {MOST_DEPTH} deep", file=file) from None
    except ValueError:  # Python reads no number of so many digits
        raise BadInput("has a number of thousands of digits: use one of 64 bits", file=file) from None
    check_values(document, file)
    return document


def check_values(document: Any, file: str | Path, key: str = "") -> None:
    """Raises `BadInput` if something in a document can be no part of it: see `wrong_value`."""
    for path, wrong in _wrong_values(document, (key,) if key else ()):
        raise BadInput(wrong, file=file, key=".".join(path) or None)


def _wrong_values(node: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if len(path) > MOST_DEPTH:
        yield path[:3], f"has lists or tables more than {MOST_DEPTH} deep"
    elif isinstance(node, dict):
        for name, value in node.items():
            if wrong := wrong_value(name):
                yield path, f"the key {name!r} is wrong: {wrong}"
            yield from _wrong_values(value, (*path, name))
    elif isinstance(node, list):
        for number, value in enumerate(node):
            yield from _wrong_values(value, (*path, str(number)))
    elif wrong := wrong_value(node):
        yield path, f"{shown(node)} is wrong: {wrong}"


CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def wrong_value(value: object) -> str:
    """Why nothing may be set to a value, or nothing: only to a text, a finite number of 64 bits, true or false."""
    if isinstance(value, str):
        return "it has a control character" if CONTROL.search(value) else ""
    if isinstance(value, bool):
        return ""
    if isinstance(value, int):
        return "" if -(2**63) <= value < 2**64 else "use a number of 64 bits"
    if isinstance(value, float):
        return "" if abs(value) <= MOST_FLOAT else f"use a number up to {MOST_FLOAT:g}"
    return "use a text, a number, true or false"


def check(model: type[M], document: dict[str, Any], file: str | Path) -> M:
    """A document as a checked model. Raises `BadInput` for the first thing that is wrong with it."""
    try:
        return model.model_validate(document)
    except ValidationError as failure:
        raise _first_error(model, failure, file) from None


def _first_error(model: type[BaseModel], failure: ValidationError, file: str | Path) -> BadInput:
    # An unknown key tells more than the missing one that it was meant to be: it goes first.
    errors = sorted(failure.errors(), key=lambda error: error["type"] != "extra_forbidden")
    error = errors[0]
    path = [part for part in error["loc"] if not _names_a_type(part)]
    key = ".".join(map(str, path)) or None
    if error["type"] == "extra_forbidden":
        known = _keys_at(model, error["loc"][:-1])
        return BadInput(f"unknown key; allowed: {one_of(known, path[-1])}", file=file, key=key)
    if error["type"] == "missing":
        return BadInput("is missing", file=file, key=key)
    if error["type"] == "value_error":
        return BadInput(error["msg"].removeprefix("Value error, "), file=file, key=key)
    return BadInput(
        f"{shown(error['input'])} is wrong: {error['msg'][0].lower()}{error['msg'][1:]}", file=file, key=key
    )


def _names_a_type(part: int | str) -> bool:
    """Pydantic puts the tried member of a union into an error's place, as in ('five', 'str')."""
    return isinstance(part, str) and (part in {"str", "int", "float", "bool"} or "[" in part)


def _keys_at(model: Any, path: Sequence[int | str]) -> list[str]:
    for part in path:
        fields = getattr(model, "model_fields", None)
        model = _meant(fields[part].annotation if fields and part in fields else (get_args(model) or (None,))[-1])
    return list(getattr(model, "model_fields", {}))


def _meant(annotation: Any) -> Any:
    """An annotation without what `Annotated` says besides; of an optional one what it is if it is there."""
    while get_origin(annotation) in (Annotated, Union, UnionType):
        annotation = next(part for part in get_args(annotation) if part is not NoneType)
    return annotation


def shown(value: object) -> str:
    """A value as TOML has it, or the beginning of a long one."""
    if isinstance(value, int) and not -(2**64) < value < 2**64:
        return f"a number of {value.bit_length():,} bits"  # Python writes none of very many digits
    text = _toml(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


def with_value(document: dict[str, Any], path: str, value: object, file: str | Path) -> dict[str, Any]:
    """A copy of a document in which the value at a dotted path is another.

    Within an entry or an option of a rules file the path leads to its value: ``attack.modifier_german.1941``. A list
    is entered by number, from 0. Only what is there can be replaced: raises `BadInput` for a path that leads nowhere.
    """
    return _replaced(document, path.split("."), value, path, file)


def _replaced(node: Any, parts: list[str], value: object, path: str, file: str | Path) -> Any:
    if isinstance(node, dict) and "value" in node and "clause" in node:
        return {**node, "value": _replaced(node["value"], parts, value, path, file)}
    if not parts:
        return value
    head, rest = parts[0], parts[1:]
    if isinstance(node, dict) and head in node:
        return {**node, head: _replaced(node[head], rest, value, path, file)}
    if isinstance(node, list) and head.isdecimal() and len(head) < 10 and int(head) < len(node):
        new = list(node)
        new[int(head)] = _replaced(node[int(head)], rest, value, path, file)
        return new
    known = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else []
    below = f"there are {one_of(known, head)}" if known else "there is nothing below it"
    raise BadInput(f"{head!r} leads nowhere: {below}", file=file, key=path)

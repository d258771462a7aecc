"""Rules, maps and scenarios as TOML files, checked before anything is played.

Whatever is wrong with a file is said in one line that names file, key, value and what would be right: `BadInput`.
"""

import difflib
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

NAME_PATTERN = r"[a-z][a-z0-9_-]{0,40}"
"""What names of scenarios, policies and experiments look like."""

CLAUSE_PATTERN = r"^[A-Z]{2}-\d+\.\d+$"
"""What the clauses of rulebooks are called: two letters of the rulebook's own, chapter and number."""

Name = Annotated[str, Field(pattern=f"^{NAME_PATTERN}$")]
T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


class BadInput(Exception):
    """Something that a user gave is wrong; the message is one line that says what and what would be right."""

    def __init__(self, message: str, *, file: str | Path | None = None, key: str | None = None) -> None:
        where = ": ".join(str(part) for part in (file, key) if part)
        super().__init__(" ".join(f"{where}: {message}".split()) if where else " ".join(message.split()))


def one_of(names: Iterable[object], given: object | None = None) -> str:
    """'a, b or c', and with a value given also the nearest of them: the end of many a `BadInput`."""
    known = [str(name) for name in names]
    if not known:
        return "there is none"
    text = known[0] if len(known) == 1 else f"{', '.join(known[:-1])} or {known[-1]}"
    near = difflib.get_close_matches(str(given), known, 1, 0.5) if given is not None else []
    return f"{text} (did you mean {near[0]}?)" if near else text


class Strict(BaseModel):
    """Base of every checked document: an unknown key or a wrong type is refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


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


def read_toml(path: Path) -> dict[str, Any]:
    """The TOML file at a path. Raises `BadInput` if it cannot be read or is not TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInput("there is no such file", file=path) from None
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", file=path) from None
    except UnicodeDecodeError:
        raise BadInput("is not a text file in UTF-8", file=path) from None
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"is not valid TOML: {error}", file=path) from None


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
    given = _toml(error["input"])
    shown = given if len(given) <= 60 else given[:57] + "..."
    return BadInput(f"{shown} is wrong: {error['msg'][0].lower()}{error['msg'][1:]}", file=file, key=key)


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


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


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
    if isinstance(node, list) and head.isdecimal() and int(head) < len(node):
        new = list(node)
        new[int(head)] = _replaced(node[int(head)], rest, value, path, file)
        return new
    known = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else []
    below = f"there are {one_of(known, head)}" if known else "there is nothing below it"
    raise BadInput(f"{head!r} leads nowhere: {below}", file=file, key=path)

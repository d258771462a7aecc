"""The questions: one ``.sql`` file each in this folder, whose head says what is asked, measured and answered."""

import re
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
SECTIONS = ("Grain", "Measure", "Parameters", "Columns", "Example")

PARAMETER = re.compile(r"(?P<name>\w+) (?P<type>text|integer|number) = (?P<default>\S+): (?P<meaning>.+)")
TYPES = {"text": str, "integer": int, "number": float}


class Parameter(NamedTuple):
    """A parameter of a question: its type (a key of `TYPES`), default (None: any) and meaning."""

    name: str
    type: str
    default: str | int | float | None
    meaning: str


class Question(NamedTuple):
    """A question: what its file's head says, and its SQL. ``columns`` are pairs of names and meanings."""

    name: str
    asks: str
    grain: str
    measure: str
    parameters: tuple[Parameter, ...]
    columns: tuple[tuple[str, str], ...]
    example: str
    sql: str

    def values(self, given: dict[str, Any]) -> dict[str, Any]:
        """Every parameter's value: what is given, else its default. Raises `BadInput` for an unknown or wrong one."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in given:
            if name not in known:
                raise _bad(f"question {self.name} has no parameter {name!r}", known, name)
        return {name: _value(self, it, given[name]) if name in given else it.default for name, it in known.items()}


def names() -> list[str]:
    """Names of all questions."""
    return sorted(path.stem for path in HERE.glob("*.sql"))


def find(name: str) -> Question:
    """The question of that name. Raises `BadInput` for an unknown one."""
    if name not in names():
        raise _bad(f"there is no question {name!r}", names(), name)
    return read(HERE / f"{name}.sql")


def read(path: Path) -> Question:
    """A question from its file. Raises `ValueError` if its head lacks a section."""
    head, body = [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        (head if line.startswith("--") and not body else body).append(line)
    sections: dict[str, list[str]] = {"Question": []}
    section = "Question"
    for line in head:
        words = line.removeprefix("--").strip()
        title, colon, rest = words.partition(":")
        if colon and title in SECTIONS:
            section, words = title, rest.strip()
            sections[section] = []
        if words:
            sections[section].append(words)
    missing = set(SECTIONS) - set(sections)
    if missing:
        raise ValueError(f"{path}: the head lacks {sorted(missing)}")
    return Question(
        path.stem,
        " ".join(sections["Question"]),
        " ".join(sections["Grain"]),
        " ".join(sections["Measure"]),
        tuple(_parameter(line, path) for line in sections["Parameters"]),
        tuple((name, meaning) for name, _, meaning in (line.partition(": ") for line in sections["Columns"])),
        " ".join(sections["Example"]),
        "\n".join(body).strip(),
    )


def _parameter(line: str, path: Path) -> Parameter:
    found = PARAMETER.fullmatch(line)
    if found is None:
        raise ValueError(f"{path}: a parameter is 'name type = default: meaning', not {line!r}")
    default = None if found["default"] == "null" else TYPES[found["type"]](found["default"])
    return Parameter(found["name"], found["type"], default, found["meaning"])


def _value(question: Question, parameter: Parameter, given: Any) -> Any:
    if given is None:
        return None
    try:
        return TYPES[parameter.type](given)
    except ValueError:
        from sim.rules_file import BadInput  # see `_bad`

        message = f"{given!r} is wrong: question {question.name} takes {_article(parameter.type)}"
        raise BadInput(message, key=parameter.name) from None


def _article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def _bad(what: str, known: Any, given: str) -> Exception:
    # `sim` brings the compiler with it, a second that only those need who get an error.
    from sim.rules_file import BadInput, one_of

    return BadInput(f"{what}: use {one_of(known, given)}")

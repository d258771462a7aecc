"""The record of a night, ``night.json`` in its folder: what the index is made of, also once its games are pruned.

It is there before the first game is played, so that a night which ends without a word is seen, too.
"""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from queries.report.model import Number

NAME = "night.json"

State = Literal["begun", "complete", "incomplete", "failed"]
"""``begun``: it is being played, or its process is gone; ``incomplete``: games are missing, the same command goes on;
``failed``: something else was wrong."""


class _Part(BaseModel):
    model_config = ConfigDict(
        frozen=True, extra="allow"
    )  # what another version has written stays when it is written again


class Balance(_Part):
    """Payoff to blue of a scenario, over all pairings alike."""

    name: str
    title: str
    uniform: Number


class Compared(_Part):
    """A comparison with an earlier night; see `drift.Drift.as_document` for the rest."""

    alarms: int


class Record(_Part):
    """A night. ``line`` says what was wrong, ``notes`` what else is to be known; ``experiment`` is its folder.

    ``tries`` counts how often later nights have gone on with it, until it is ``given_up``. What its games say, from
    ``games`` on, is of the last time that it was complete.
    """

    label: str
    name: str
    created: str
    state: State = "complete"
    line: str = ""
    exit_code: int | None = None
    notes: tuple[str, ...] = ()
    experiment: str = ""
    tries: int = 0
    given_up: bool = False
    games: int = 0
    planned: int = 0
    failed: int = 0
    complete: bool = False
    seed: int | None = None
    code: str = ""
    rulebooks: dict[str, str] = {}
    scenarios: tuple[Balance, ...] = ()
    drifts: dict[str, Compared] = {}

    @property
    def alarms(self) -> int:
        """Alarms of all comparisons."""
        return sum(drift.alarms for drift in self.drifts.values())


def read_record(folder: Path) -> Record | None:
    """The record in a night's folder; None if there is none. Raises `ValueError`, one line, if it is damaged."""
    path = folder / NAME
    try:
        record = Record.model_validate_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None
    except ValidationError as wrong:
        first = wrong.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ValueError(f"{path}: is damaged: {where + ': ' if where else ''}{first['msg']}") from None
    if record.label != folder.name:
        # A link to a night, or a copy: the night has a folder of its own.
        return None
    return record


def read_records(reports: Path) -> tuple[list[Record], list[str]]:
    """The nights that have a folder there, the oldest first, and a line for each whose record is damaged."""
    found: list[Record] = []
    damaged: list[str] = []
    for folder in sorted(reports.iterdir()):
        try:
            record = read_record(folder)
        except ValueError as why:
            damaged.append(f"left out: {why}")
            continue
        if record:
            found.append(record)
    return sorted(found, key=lambda record: (record.created, record.label)), damaged

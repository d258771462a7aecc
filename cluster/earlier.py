"""Earlier nights of an archive: which can be used, which broke off, and which of these are gone on with."""

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError, model_validator

from cluster.layout import MANIFEST
from cluster.store import Place, Store, store_of
from queries.catalog import FOLDER, SCHEMA_VERSIONS
from queries.files import StoreError

LABEL = re.compile(r"(?!index\.html$)[A-Za-z0-9][A-Za-z0-9._-]{0,59}", re.IGNORECASE)
"""What a night may be called: it names a folder, beside the index."""

MOST_TRIES = 2
"""How often a night that broke off is gone on with by later ones ..."""
RECENT_DAYS = 7
"""... and for how many days."""


class Manifest(BaseModel):
    """What is needed of an experiment's manifest."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    schema_version: int
    name: str
    id: str
    label: str
    created: AwareDatetime
    complete: bool
    digests: dict[str, str] = {}

    @model_validator(mode="after")
    def _complete_has_digests(self) -> "Manifest":
        if self.complete and not self.digests:
            raise ValueError("complete, but without digests")
        return self


class Earlier(NamedTuple):
    """A night in an archive."""

    store: Store
    manifest: Manifest

    @property
    def label(self) -> str:
        """Its label; empty if it was played by `run`."""
        return self.manifest.label

    @property
    def title(self) -> str:
        """What it is called."""
        return f"the night of {self.label or self.manifest.created.isoformat(timespec='seconds')}"


def nights_of(archive: Place, name: str) -> tuple[list[Earlier], list[str]]:
    """The nights of an experiment, the newest first, and a line for each that is damaged and left out."""
    store = store_of(archive)
    found: list[Earlier] = []
    damaged: list[str] = []
    for folder in store.names():
        match = FOLDER.fullmatch(folder)
        if not match or match["name"] != name:
            continue
        night = store.at(folder)
        try:
            manifest = _manifest(night.read(MANIFEST))
            if (manifest.name, manifest.id[:8]) != (name, match["id"]):
                raise ValueError(f"is the manifest of {manifest.name}-{manifest.id[:8]}")
        except (FileNotFoundError, NotADirectoryError):
            continue  # no experiment yet, or none any more
        except StoreError:
            raise
        except OSError as error:
            damaged.append(f"left out: {night}/{MANIFEST}: cannot be read: {error.strerror}")
        except ValueError as why:
            damaged.append(f"left out: {night}/{MANIFEST}: {why}")
        else:
            found.append(Earlier(night, manifest))
    return sorted(found, key=lambda night: (night.manifest.created, night.label), reverse=True), damaged


def _manifest(text: bytes) -> Manifest:
    try:
        manifest = Manifest.model_validate_json(text, strict=True)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ValueError(f"is damaged: {where + ': ' if where else ''}{first['msg']}") from None
    if manifest.schema_version not in SCHEMA_VERSIONS:
        raise ValueError(f"was written by another version of Duosuan (schema {manifest.schema_version})")
    return manifest


def unfinished(nights: Iterable[Earlier]) -> list[Earlier]:
    """Of nights, the newest first, those that are not complete: one of each label, none that is there complete."""
    nights = list(nights)
    seen = {night.label for night in nights if night.manifest.complete}
    found = []
    for night in nights:
        label = night.label
        if label not in seen and LABEL.fullmatch(label):  # others were played by `run`
            seen.add(label)
            found.append(night)
    return found


def why_given_up(night: Earlier, tries: int, now: datetime) -> str:
    """Why a night that broke off is not gone on with, after so many tries; empty if it is."""
    if tries >= MOST_TRIES:
        return f"not complete after {tries} more tries"
    if abs(now - night.manifest.created) > timedelta(days=RECENT_DAYS):  # either way: a clock may have been wrong
        return f"not of the last {RECENT_DAYS} days"
    return ""

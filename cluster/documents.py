"""What the JSON documents of an archive look like besides its plan: the manifest, rounds, and reports on failures."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from cluster.plan import hash_of
from cluster.until import MOST_REPLICATIONS, Until
from sim.rules_file import Name, Strict

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0)]
GamesFile = Annotated[str, Field(pattern=r"^(cells|games/rulebook=[a-z0-9_]+/[0-9]+/shards-[0-9]+-[0-9]+)\.parquet$")]


class Manifest(Strict):
    """A manifest: ``digests`` of cells and games files, by path, are there once the experiment is complete."""

    schema_version: int
    name: Name
    id: Digest
    label: str
    seed: int
    created: str
    code: Digest
    rulebooks: dict[str, str]
    libraries: dict[str, str]
    until: Until | None
    cells: Count
    replications: Count
    games: Count
    shards: Count
    complete: bool
    digest: Digest | None = None
    digests: dict[GamesFile, Digest] | None = None

    @model_validator(mode="after")
    def _agrees(self) -> "Manifest":
        datetime.fromisoformat(self.created)
        if self.complete and self.digests is None:
            raise ValueError("digests: are missing, and it says that the experiment is complete")
        if self.digests is not None and self.digest != hash_of(self.digests):
            raise ValueError("digest: is not that of the digests")
        return self


class AddedCells(Strict):
    """Consecutive cells of a round, and the replications ``first`` to ``end`` - 1 that each gets."""

    first_cell: Count
    last_cell: Count
    first: Count
    end: int = Field(ge=1, le=MOST_REPLICATIONS)

    @model_validator(mode="after")
    def _adds_something(self) -> "AddedCells":
        if self.last_cell < self.first_cell or self.end <= self.first:
            raise ValueError("adds nothing")
        return self


class RoundFile(Strict):
    """A round of games that were added: until when, how many, and to which cells."""

    until: Until | None
    games: Count
    added: list[AddedCells]


class _Lenient(BaseModel):
    """Base of what is read in part: unknown keys do not matter."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class FailedGame(_Lenient):
    """A game of a report: the command that plays it again."""

    replay: str


class Report(_Lenient):
    """A report on a shard that was given up, or is ``published`` with games that ``failed``."""

    shard: Count
    published: bool
    failed: Count | None = None
    error: Any = None
    games: list[FailedGame]

    @model_validator(mode="after")
    def _tells_something(self) -> "Report":
        if (self.failed is None) == self.published:
            raise ValueError("failed: is missing" if self.published else "failed: is of a shard that is not published")
        return self

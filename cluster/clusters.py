"""Cluster files: how experiments are played somewhere. Their keys are the options of the commands that read them."""

import os
from pathlib import Path
from typing import Any

from pydantic import Field

from cluster import MOST_WORKERS, library
from sim.rules_file import BadInput, Strict, check, one_of, read_toml


class Cluster(Strict):
    """A cluster file; what it leaves out stays at the command's default.

    ``address`` is where `run`, `resume` and `nightly` join Ray, ``jobs`` its job server, which `submit`, `jobs`,
    `logs` and `stop` ask.
    """

    archive: str | None = None
    workers: int | None = Field(default=None, ge=1, le=MOST_WORKERS)
    address: str | None = None
    jobs: str | None = None
    game_limit: float | None = Field(default=None, ge=0.1)
    limit_gb: float | None = Field(default=None, ge=0)
    env: list[str] | None = None


def options(text: str, *, of_jobs: bool) -> dict[str, Any]:
    """The options in a cluster file, or in the built-in one of that name; ``of_jobs``: for a command that asks a head.

    Raises `BadInput` for whatever is wrong with it.
    """
    path = Path(text)
    if not path.suffix and not os.path.exists(path):
        known = {found.stem: found for found in sorted((library.configs() / "clusters").glob("*.toml"))}
        if text not in known:
            raise BadInput(f"there is no such file and no built-in cluster {text!r}: use {one_of(known, text)}")
        path = known[text]
    found = check(Cluster, read_toml(path), path).model_dump(exclude_none=True)
    head = found.pop("jobs", None)
    if of_jobs:
        found.pop("address", None)
        if head is not None:
            found["address"] = head
    return found

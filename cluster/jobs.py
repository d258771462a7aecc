"""Experiments as jobs of a Ray cluster: submitted to its head, which drives them, listed, followed and stopped.

The head needs our libraries and nothing of ours: what a job needs of that travels with it (`cluster.parcel`).
"""

import asyncio
import json
import logging
import os
import re
import secrets
import shlex
import socket
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import aiohttp
from ray.exceptions import AuthenticationError
from ray.job_submission import JobDetails, JobStatus, JobSubmissionClient, JobType

from cluster import RunFailed
from cluster.experiment import read
from cluster.layout import experiment_folder
from cluster.parcel import pack
from cluster.planner import make_plan
from cluster.progress import duration_text, say
from cluster.run import check_size
from cluster.store import store_of
from queries.files import without_credentials
from sim.rules_file import BadInput, one_of

ADDRESSES = ("RAY_API_SERVER_ADDRESS", "RAY_ADDRESS")
"""Variables that say where the cluster is, for Ray as for us."""
TALKATIVE = (
    "ray._private.runtime_env.packaging",
    "ray.dashboard.modules.dashboard_sdk",
    "ray.dashboard.modules.job.sdk",
)
"""Loggers of Ray that tell of every step."""
REACH_SECONDS = 10.0
"""How long a head may take to answer at all."""
STOP_SECONDS = 60
"""How long a driver that is asked to stop may take, before Ray ends it; otherwise it would have 3 s."""
LOOK_SECONDS = 0.5
BAD_INPUT = 2
"""Exit code of a driver that was given something wrong."""


class Submission(NamedTuple):
    """How an experiment is played on the cluster, as the options of `run`; ``env`` names variables that go along."""

    workers: int | None
    game_limit: float
    limit_gb: float
    env: Sequence[str] = ()


def submit(file: str, archive: str, address: str | None, how: Submission) -> str:
    """Submits an experiment and returns the job's name.

    Everything that can be checked here is checked before anything is sent. Raises `BadInput` for whatever is wrong
    with the file, the archive or the variables, `RunFailed` if the head cannot be reached or refuses.
    """
    source = read(file)
    planned = make_plan(source)
    check_size(planned.estimate, how.limit_gb, source.path)
    check_place(archive)
    variables = _variables(how.env)
    name = experiment_folder(planned.plan).removeprefix("experiment=")
    # The same experiment may be submitted twice in a second: to two archives, or by two people.
    job = f"{name}-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
    with tempfile.TemporaryDirectory() as folder:
        command = _command(pack(source, Path(folder)), archive, how)
        along = {"working_dir": folder, "env_vars": {"RAY_JOB_STOP_WAIT_TIME_S": str(STOP_SECONDS), **variables}}
        told = {"experiment": name, "archive": archive}
        with _connected(address, hidden=list(variables.values())) as client:
            return client.submit_job(entrypoint=command, submission_id=job, runtime_env=along, metadata=told)


def _command(file: str, archive: str, how: Submission) -> str:
    workers = [] if how.workers is None else ["--workers", str(how.workers)]
    limits = ["--game-limit", f"{how.game_limit:g}", "--limit-gb", f"{how.limit_gb:g}"]
    return shlex.join(["python", "-m", "cluster", "run", file, "--archive", archive, *workers, *limits])


def check_place(archive: str) -> None:
    """Raises `BadInput` for an archive that all machines of a cluster could not have in common."""
    if "://" in archive:
        store_of(archive)
    elif not Path(archive).is_absolute():
        message = f"{archive!r} would be lost on the head: use a folder /… that all machines share, or s3://bucket/…"
        raise BadInput(message, key="--archive")


def _variables(names: Sequence[str]) -> dict[str, str]:
    for name in names:
        if name not in os.environ:
            raise BadInput(f"there is no variable {name.partition('=')[0]!r} here: name one that is set", key="--env")
    return {name: os.environ[name] for name in names}


def follow(job: str, address: str | None) -> None:
    """Prints a job's log until the job ends. Raises `BadInput` or `RunFailed` as the job did, or if it was stopped."""
    with _connected(address) as client:
        _details(client, job)
        try:
            asyncio.run(_tail(client, job))
        except KeyboardInterrupt:
            say(f"the job goes on; its log: duosuan logs {job} --follow; to stop it: duosuan stop {job}")
            raise
        _raise_as_it_ended(_details(client, job))


async def _tail(client: JobSubmissionClient, job: str) -> None:
    async for lines in client.tail_job_logs(job):
        print(lines, end="", flush=True)


def _raise_as_it_ended(details: JobDetails) -> None:
    if details.status == JobStatus.SUCCEEDED:
        return
    if details.status == JobStatus.STOPPED:
        raise RunFailed(f"job {details.submission_id} was stopped")
    kind = BadInput if details.driver_exit_code == BAD_INPUT else RunFailed
    code = f" with exit code {details.driver_exit_code}" if details.driver_exit_code is not None else ""
    why = "" if code else f": {_last_line(details.message or '')}"
    raise kind(f"job {details.submission_id} failed{code}{why}")


def show_log(job: str, address: str | None) -> None:
    """Prints what a job has said so far."""
    with _connected(address) as client:
        _details(client, job)
        print(client.get_job_logs(job), end="")


def stop(job: str, address: str | None) -> None:
    """Stops a job as Ctrl-C would, waits for its end, and prints its last line: the command that goes on."""
    with _connected(address) as client:
        details = _details(client, job)
        if details.status.is_terminal() or not client.stop_job(job):
            say(f"job {job} has ended already: {_status(details)}")
            return
        until = time.monotonic() + STOP_SECONDS + REACH_SECONDS
        while not (details := _details(client, job)).status.is_terminal():
            if time.monotonic() > until:
                raise RunFailed(f"job {job} has not ended yet: duosuan jobs shows when it has")
            time.sleep(LOOK_SECONDS)
        print(f"job {job}: {_status(details)}; it said last: {_last_line(client.get_job_logs(job))}")


def show_jobs(address: str | None, as_json: bool) -> None:
    """Prints the jobs of a cluster, the newest last."""
    with _connected(address) as client:
        found = sorted(_submitted(client).values(), key=lambda details: details.start_time or 0)
    rows = [_row(details) for details in found]
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    lines = [("job", "status", "started (UTC)", "took", "archive"), *map(_columns, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(map(str.ljust, line, widths)).rstrip())


def _columns(row: Mapping[str, Any]) -> tuple[str, ...]:
    started = (row["started"] or "").partition("+")[0]
    took = "" if row["seconds"] is None else duration_text(row["seconds"])
    return row["job"], row["status"], started, took, row["archive"] or ""


def _row(details: JobDetails) -> dict[str, Any]:
    """What may be told of a job: not its environment, which may hold credentials."""
    told = details.metadata or {}
    began, ended = details.start_time, details.end_time
    return {
        "job": details.submission_id,
        "status": _status(details),
        "exit_code": details.driver_exit_code,
        "experiment": told.get("experiment"),
        "archive": told.get("archive"),
        "started": datetime.fromtimestamp(began / 1000, UTC).isoformat(" ", "seconds") if began else None,
        "seconds": ((ended or time.time() * 1000) - began) / 1000 if began else None,
    }


def _status(details: JobDetails) -> str:
    return details.status.value.lower()


def _submitted(client: JobSubmissionClient) -> Mapping[str, JobDetails]:
    """Jobs that somebody has submitted, by name; others are drivers that have joined the cluster by themselves."""
    return {
        details.submission_id: details
        for details in client.list_jobs()
        if details.type == JobType.SUBMISSION and details.submission_id
    }


def _details(client: JobSubmissionClient, job: str) -> JobDetails:
    known = _submitted(client)
    if job not in known:
        ways = f"use {one_of(known, job)}" if known else "the cluster has had none"
        raise BadInput(f"there is no job {job!r}: {ways}")
    return known[job]


@contextmanager
def _connected(address: str | None, hidden: Sequence[str] = ()) -> Generator[JobSubmissionClient]:
    """A connection to a head; what goes wrong there ends a command with one line that tells nothing ``hidden``."""
    address = address or next((os.environ[name] for name in ADDRESSES if os.environ.get(name)), None)
    where = without_credentials(address) if address else "on this machine"
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(logging.ERROR)
    try:
        if address:
            _reach(address)
        yield _client(address)
    except AuthenticationError:
        ways = "set RAY_AUTH_MODE=token, and RAY_AUTH_TOKEN or RAY_AUTH_TOKEN_PATH to the cluster's"
        raise RunFailed(f"the head {where} asks for another token: {ways}") from None
    except BrokenPipeError:  # nobody reads what is printed
        raise
    except (OSError, RuntimeError, aiohttp.ClientError) as error:
        told = _last_line(without_credentials(str(error)))
        for secret in hidden:
            told = told.replace(secret, "***")
        raise RunFailed(f"Ray's job server {where} cannot be used: {told}") from None


def _reach(address: str) -> None:
    """Raises `BadInput` if it is no address, `OSError` if nobody is there: Ray itself would try for minutes."""
    parts = urlsplit(address if "://" in address else f"//{address}")
    try:
        port = parts.port or {"http": 80, "https": 443}[parts.scheme]
    except (KeyError, ValueError):
        message = f"{without_credentials(address)!r} is no address of a head: use http://HOST:8265"
        raise BadInput(message, key="--address") from None
    socket.create_connection((parts.hostname or "", port), REACH_SECONDS).close()


def _client(address: str | None) -> JobSubmissionClient:
    """Ray's client. Ray puts its variables before what it is told; here what was typed goes first."""
    before = {name: os.environ.pop(name) for name in ADDRESSES if name in os.environ}
    try:
        return JobSubmissionClient(address)
    except (KeyError, ValueError):
        raise RuntimeError("what answers there is not Ray") from None
    finally:
        os.environ.update(before)


def _last_line(text: str) -> str:
    """The last line that says something: Ray ends what it repeats with a full stop, after a line's end."""
    return next((line.strip() for line in reversed(text.splitlines()) if re.search(r"\w", line)), "nothing")

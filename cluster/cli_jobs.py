"""Commands that play experiments as jobs of a cluster, from a machine that is no part of it."""

from typing import Annotated

import typer

from cluster.cli_run import GAME_LIMIT, LIMIT_GB, Cluster, File, GameLimit, Json, LimitGb, Workers

Head = Annotated[
    str | None,
    typer.Option(
        "--address",
        envvar=["RAY_API_SERVER_ADDRESS", "RAY_ADDRESS"],
        help="Job server of the cluster's head, http://HEAD:8265. Default: a head on this machine.",
    ),
]
Job = Annotated[str, typer.Argument(help="A job's name, see `duosuan jobs`.", metavar="JOB")]


def submit(
    file: File,
    archive: Annotated[
        str, typer.Option("--archive", "-a", help="Folder that all machines share, or s3://bucket/prefix.")
    ],
    address: Head = None,
    workers: Workers = None,
    game_limit: GameLimit = GAME_LIMIT,
    limit_gb: LimitGb = LIMIT_GB,
    env: Annotated[
        list[str] | None,
        typer.Option(help="Environment variable of this machine that goes along; whoever sees the jobs can read it."),
    ] = None,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Print the job's log until it ends.")] = True,
    cluster: Cluster = None,
) -> None:
    """Play an experiment on a cluster: the head drives it, this machine may go away.

    \b
    duosuan submit demo --address http://head.example.com:8265 --archive s3://wargames/archives
    duosuan submit mine.toml --archive /shared/archives --no-wait      RAY_ADDRESS says where
    duosuan submit mine.toml --cluster site.toml                       a file says where, and more
    duosuan submit mine.toml -a s3://b/archives --env AWS_ACCESS_KEY_ID --env AWS_SECRET_ACCESS_KEY

    Code, configurations and the files that the experiment names travel along. Submitted again, it goes on.
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from cluster import jobs
    from cluster.progress import say

    job = jobs.submit(file, archive, address, jobs.Submission(workers, game_limit, limit_gb, env or ()))
    if wait:
        say(f"job {job}; Ctrl-C leaves it to itself")
        jobs.follow(job, address)
    else:
        print(job)


def list_jobs(address: Head = None, as_json: Json = False, cluster: Cluster = None) -> None:
    """List the jobs of a cluster, the newest last.

    \b
    duosuan jobs --address http://head.example.com:8265
    duosuan jobs --json
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from cluster import jobs

    jobs.show_jobs(address, as_json)


def logs(
    job: Job,
    address: Head = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until the job ends; exit as it does.")] = False,
    cluster: Cluster = None,
) -> None:
    """Print what a job has said.

    \b
    duosuan logs demo-1a2b3c4d-20260501-120000-3f9a --follow
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from cluster import jobs

    if follow:
        jobs.follow(job, address)
    else:
        jobs.show_log(job, address)


def stop(job: Job, address: Head = None, cluster: Cluster = None) -> None:
    """Stop a job as Ctrl-C stops a run: what is published stays, and submitting it again goes on.

    \b
    duosuan stop demo-1a2b3c4d-20260501-120000-3f9a
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from cluster import jobs

    jobs.stop(job, address)


def register(app: typer.Typer) -> None:
    """Adds these commands to the command line."""
    for name, command in (("submit", submit), ("jobs", list_jobs), ("logs", logs), ("stop", stop)):
        app.command(name, rich_help_panel="Cluster")(command)

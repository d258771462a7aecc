"""Commands that play experiments and look after what was played."""

import math
from pathlib import Path
from typing import Annotated

import typer

from cluster import MOST_WORKERS


def _finite(value: float) -> float:
    """Refuses what is no number, with which every comparison fails."""
    if not math.isfinite(value):
        raise typer.BadParameter(f"{value} is no finite number")
    return value


File = Annotated[str, typer.Argument(help="An experiment file, or the name of a built-in experiment.", metavar="FILE")]
Archive = Annotated[
    str, typer.Option("--archive", "-a", help="Folder, or s3://bucket/prefix, that holds the experiments.")
]
Inline = Annotated[bool, typer.Option("--inline", help="Play in this process, without Ray and without a time limit.")]
Workers = Annotated[
    int | None,
    typer.Option(
        min=1, max=MOST_WORKERS, help="Shards that are played at once. Default: as many as there are processors."
    ),
]
Address = Annotated[
    str | None, typer.Option(envvar="RAY_ADDRESS", help="Ray cluster to join. Default: start Ray on this machine.")
]
Dashboard = Annotated[bool, typer.Option("--dashboard", help="Start Ray's dashboard, too.")]
GameLimit = Annotated[float, typer.Option(min=0.1, callback=_finite, help="Seconds after which a game is given up.")]
LimitGb = Annotated[
    float, typer.Option(min=0, callback=_finite, help="Refuse an experiment that would take more gigabytes.")
]
ArchivePath = Annotated[str, typer.Argument(help="An archive, or an experiment's folder.", metavar="ARCHIVE")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def _read_cluster(context: typer.Context, text: str | None) -> str | None:
    """What a cluster file says goes before the command's defaults and behind what is typed."""
    if text is not None:
        from cluster.clusters import options

        context.default_map = options(text, of_jobs=context.command.name in ("submit", "jobs", "logs", "stop"))
    return text


Cluster = Annotated[
    str | None,
    typer.Option(
        is_eager=True,
        callback=_read_cluster,
        help="Cluster file that the options come from which are not given, or a built-in one's name.",
    ),
]

ARCHIVE = "archives"
GAME_LIMIT = 60.0
LIMIT_GB = 20.0
MOST_GAMES = 2**31 - 1


def run(
    file: File,
    archive: Archive = ARCHIVE,
    inline: Inline = False,
    workers: Workers = None,
    address: Address = None,
    dashboard: Dashboard = False,
    game_limit: GameLimit = GAME_LIMIT,
    limit_gb: LimitGb = LIMIT_GB,
    cluster: Cluster = None,
) -> None:
    """Play an experiment, or what is missing of it, and print its summary.

    \b
    duosuan run demo                               a built-in experiment
    duosuan run mine.toml --archive results --workers 4
    duosuan run mine.toml --inline                 without Ray
    duosuan run mine.toml --cluster site.toml      options from a file, see configs/clusters/local.toml
    duosuan run mine.toml -a s3://bucket/archives  AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, ... say where and who
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from cluster.dispatch import Options
    from cluster.run import run

    run(file, archive, Options(inline, workers, address, dashboard, game_limit), limit_gb)


def plan(file: File, limit_gb: LimitGb = LIMIT_GB, as_json: Json = False) -> None:
    """Say what an experiment would play and take: cells, games, shards, bytes and time.

    \b
    duosuan plan demo
    duosuan plan mine.toml --json                  with every cell
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from cluster.status import show_plan

    show_plan(file, limit_gb, as_json)


def resume(
    target: Annotated[str, typer.Argument(help="The experiment's folder, or its unchanged file.", metavar="FOLDER")],
    archive: Archive = ARCHIVE,
    failed: Annotated[bool, typer.Option("--failed", help="Play shards with failed games again, too.")] = False,
    inline: Inline = False,
    workers: Workers = None,
    address: Address = None,
    dashboard: Dashboard = False,
    game_limit: GameLimit = GAME_LIMIT,
    cluster: Cluster = None,
) -> None:
    """Go on with an experiment: play what is missing, from what its folder has stored.

    \b
    duosuan resume archives/experiment=demo-1a2b3c4d
    duosuan resume mine.toml --archive results     refused if the file has changed since
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from cluster.dispatch import Options
    from cluster.run import resume

    resume(target, archive, Options(inline, workers, address, dashboard, game_limit), failed_too=failed)


def status(
    archive: ArchivePath = ARCHIVE,
    as_json: Json = False,
) -> None:
    """Say how complete experiments are, what failed and how to play that again.

    \b
    duosuan status                                 all of ./archives
    duosuan status archives/experiment=demo-1a2b3c4d --json
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from cluster.status import show_status

    show_status(archive, as_json)


def verify(
    archive: ArchivePath = ARCHIVE,
    sample: Annotated[
        int, typer.Option(min=0, max=MOST_GAMES, help="Games of each experiment that are played again.")
    ] = 100,
    every: Annotated[
        bool, typer.Option("--all", help="Play all games again, which takes as long as the run did.")
    ] = False,
) -> None:
    """Check digests, counts, keys and totals, and play a sample of games again, row by row.

    \b
    duosuan verify                                 all of ./archives
    duosuan verify archives/experiment=demo-1a2b3c4d --sample 1000
    duosuan verify s3://bucket/archives --all
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from cluster.verify import verify

    verify(archive, None if every else sample)


def compact(archive: ArchivePath = ARCHIVE) -> None:
    """Make few large files of the many small ones of complete experiments; the same rows, faster to ask.

    \b
    duosuan compact                                all of ./archives
    duosuan compact archives/experiment=demo-1a2b3c4d

    Stopped at any moment, the archive can be used, and the same command goes on. A question that is being answered
    meanwhile may have to be asked again.
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from cluster.compact import compact

    compact(archive)


def prune(
    archive: ArchivePath,
    keep: Annotated[int, typer.Option(min=1, max=MOST_GAMES, help="Experiments of each name that stay: the newest.")],
    yes: Annotated[bool, typer.Option("--yes", help="Delete them; without it they are only shown.")] = False,
) -> None:
    """Delete all but the newest experiments of each name, such as the nights of a month ago.

    \b
    duosuan prune archives --keep 14               shows what would be deleted
    duosuan prune archives --keep 14 --yes         deletes it
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from cluster.prune import prune

    prune(archive, keep, yes)


def nightly(
    file: File,
    archive: Archive = ARCHIVE,
    reports: Annotated[Path, typer.Option(help="Folder for the pages, one folder a night.")] = Path("reports"),
    label: Annotated[str | None, typer.Option(help="Name of the night. Default: today's date (UTC).")] = None,
    baseline: Annotated[str, typer.Option(help="Label of a night to compare with, besides the one before.")] = "",
    keep: Annotated[int | None, typer.Option(min=2, help="Nights that stay in the archive.")] = None,
    webhook: Annotated[str | None, typer.Option(help="URL that each night's end is posted to, as JSON.")] = None,
    inline: Inline = False,
    workers: Workers = None,
    address: Address = None,
    game_limit: GameLimit = GAME_LIMIT,
    limit_gb: LimitGb = LIMIT_GB,
    cluster: Cluster = None,
) -> None:
    """Play an experiment under the night's date, compare it with earlier nights, and write the reports.

    \b
    duosuan nightly nightly --archive archives --reports reports
    duosuan nightly mine.toml --baseline 2026-05-01 --keep 30
    duosuan nightly mine.toml --label dry-run --inline

    Ends with 3, and a line for each finding, if the balance has drifted. A night that broke off goes on. However it
    ends, its page says so and the webhook is told.
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from datetime import UTC, datetime

    from cluster.dispatch import Options
    from cluster.nightly import Tonight, nightly

    today = datetime.now(UTC).date().isoformat()
    tonight = Tonight(today if label is None else label, baseline, keep, webhook, limit_gb)
    raise typer.Exit(nightly(file, archive, reports, Options(inline, workers, address, False, game_limit), tonight))


def register(app: typer.Typer) -> None:
    """Adds these commands to the command line."""
    for command in (run, nightly, plan, resume, status, verify, compact, prune):
        app.command(command.__name__, rich_help_panel="Run")(command)

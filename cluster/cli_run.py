"""Commands that play experiments and look after what was played."""

from pathlib import Path
from typing import Annotated

import typer

File = Annotated[str, typer.Argument(help="An experiment file, or the name of a built-in experiment.", metavar="FILE")]
Archive = Annotated[Path, typer.Option("--archive", "-a", help="Folder that holds the experiments.")]
Inline = Annotated[bool, typer.Option("--inline", help="Play in this process, without Ray and without a time limit.")]
Workers = Annotated[
    int | None, typer.Option(min=1, help="Shards that are played at once. Default: as many as there are processors.")
]
Address = Annotated[
    str | None, typer.Option(envvar="RAY_ADDRESS", help="Ray cluster to join. Default: start Ray on this machine.")
]
Dashboard = Annotated[bool, typer.Option("--dashboard", help="Start Ray's dashboard, too.")]
GameLimit = Annotated[float, typer.Option(min=0.1, help="Seconds after which a game is given up.")]
LimitGb = Annotated[float, typer.Option(min=0, help="Refuse an experiment that would take more gigabytes.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]

ARCHIVE = Path("archives")
GAME_LIMIT = 60.0
LIMIT_GB = 20.0


def run(
    file: File,
    archive: Archive = ARCHIVE,
    inline: Inline = False,
    workers: Workers = None,
    address: Address = None,
    dashboard: Dashboard = False,
    game_limit: GameLimit = GAME_LIMIT,
    limit_gb: LimitGb = LIMIT_GB,
) -> None:
    """Play an experiment, or what is missing of it, and print its summary.

    \b
    duosuan run demo                               a built-in experiment
    duosuan run mine.toml --archive results --workers 4
    duosuan run mine.toml --inline                 without Ray
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
    target: Annotated[Path, typer.Argument(help="The experiment's folder, or its unchanged file.", metavar="FOLDER")],
    archive: Archive = ARCHIVE,
    failed: Annotated[bool, typer.Option("--failed", help="Play shards with failed games again, too.")] = False,
    inline: Inline = False,
    workers: Workers = None,
    address: Address = None,
    dashboard: Dashboard = False,
    game_limit: GameLimit = GAME_LIMIT,
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
    archive: Annotated[
        Path, typer.Argument(help="An archive, or an experiment's folder.", metavar="ARCHIVE")
    ] = ARCHIVE,
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
    archive: Annotated[
        Path, typer.Argument(help="An archive, or an experiment's folder.", metavar="ARCHIVE")
    ] = ARCHIVE,
    sample: Annotated[int, typer.Option(min=0, help="Games of each experiment that are played again.")] = 100,
) -> None:
    """Check digests, counts, keys and totals, and play a sample of games again, row by row.

    \b
    duosuan verify                                 all of ./archives
    duosuan verify archives/experiment=demo-1a2b3c4d --sample 1000
    """  # noqa: D301 - a backspace of Click: what follows keeps its lines
    from cluster.verify import verify

    verify(archive, sample)


def register(app: typer.Typer) -> None:
    """Adds these commands to the command line."""
    for command in (run, plan, resume, status, verify):
        app.command(command.__name__, rich_help_panel="Run")(command)

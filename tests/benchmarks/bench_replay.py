"""How long it takes until a game of an archive is told again, compared with its record, and written as a page."""

import statistics
import tempfile
from pathlib import Path

from harness import Row
from many_games import seconds

REPEATS = 5
AT_MOST = 3
GAMES = {"barbarossa/barbarossa": ("medium", "steady"), "tank_hex/river_crossing": ("brawler", "static_defence"),
         "first_contact/prokhorovka": ("combined", "assault")}  # fmt: skip
EXPERIMENT = 'name = "replayed"\nseed = 1\nreplications = 20\n'
PLAY = '[[play]]\nscenarios = ["{}"]\nred = ["{}"]\nblue = ["{}"]\n'


def rows() -> list[Row]:
    """The rows of this file."""
    with tempfile.TemporaryDirectory() as folder:
        file, archive = Path(folder, "replayed.toml"), Path(folder, "archive")
        file.write_text(EXPERIMENT + "".join(PLAY.format(name, *policies) for name, policies in GAMES.items()))
        seconds("-m", "cluster", "run", str(file), "--archive", str(archive), "--inline")
        # The least that a command with compiled rules costs.
        least = ["-c", "import numba, numpy, duckdb, pyarrow.parquet, pydantic, typer"]
        page = str(Path(folder, "page.html"))
        replay = ["-m", "cluster", "replay", str(archive), "--html", page, "--cell"]
        return [
            _row(f"replay --html, {name.partition('/')[0]}", [*replay, str(cell)], least)
            for cell, name in enumerate(GAMES)
        ]


def _row(name: str, ours: list[str], least: list[str]) -> Row:
    seconds(*ours)  # once for the bytecode and the compiled rules
    pairs = [(seconds(*ours), seconds(*least)) for _ in range(REPEATS)]
    mine, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratios = [a / b for a, b in pairs]
    target = f"under {AT_MOST} s"
    return Row(
        name, "s", mine, "the libraries alone", other, statistics.median(ratios), target, mine < AT_MOST, spread=ratios
    )

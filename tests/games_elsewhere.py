"""Games that another process plays in the meantime, with another environment."""

import functools
import os
import pickle
import subprocess
import sys
from pathlib import Path

from tests.matches import Match

ROOT = Path(__file__).parents[1]


class GamesElsewhere:
    """A process that plays the first games of some matches, and what it recorded of them."""

    def __init__(self, folder: Path, chosen: list[Match], games: int, **environment: str) -> None:
        self.most = games
        self.results = folder / "results"
        (folder / "matches").write_bytes(pickle.dumps(chosen))
        arguments = [str(folder / "matches"), str(games), str(self.results)]
        self.said = folder / "said"
        with self.said.open("wb") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.matches", *arguments],
                cwd=ROOT, env={**os.environ, **environment}, stdout=said, stderr=said,
            )  # fmt: skip

    @functools.cached_property
    def tables(self) -> dict[Match, dict[str, bytes]]:
        """All tables of the games of each match, as `tests.matches.tables_of` has them; waits for them."""
        assert self.process.wait() == 0, self.said.read_text(errors="replace")
        return pickle.loads(self.results.read_bytes())

    def close(self) -> None:
        self.process.kill()
        self.process.wait()

"""From an experiment to its plan: every name looked up, every document settled and checked before a game is played.

Pure: it reads files, and the same files give the same plan.
"""

import math
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import sim
from cluster import library
from cluster.design import Point, Value, count_points, points_of, units_of
from cluster.experiment import Play, Source
from cluster.library import Documents, PlayerSpec, ScenarioRef
from cluster.plan import SHARD_SECONDS, Cell, CellInputs, Plan, hash_of, own_seed, tables_at
from queries.catalog import SCHEMA_VERSION
from sim.compiled import source_hash
from sim.game import BLUE, RECORD_LEVELS, RED, SIDES, Shape
from sim.rules_file import BadInput, one_of

MOST_CELLS = 100_000

# Like a rulebook's cost these only size shards and estimates; measured with Barbarossa on an ordinary core.
ROW_SECONDS = 2e-7  # to encode and write a row
EVENTS_SHARE = 1 / 24  # events of a usual game as a share of the most that a game can have
ROW_BYTES = {"games": 32.0, "turns": 3.0, "units": 1.2, "territory": 0.4, "events": 3.5}  # compressed


class Estimate(NamedTuple):
    """What an experiment takes: games, seconds of one core, bytes at its own record level and at each of them.

    ``most`` is how many times as much it may become by rounds.
    """

    games: int
    seconds: float
    bytes: float
    bytes_at: dict[str, float]
    most: float


class Planned(NamedTuple):
    """A plan, its inputs (name: document) and what it takes."""

    plan: Plan
    inputs: dict[str, Any]
    estimate: Estimate


def make_plan(source: Source) -> Planned:
    """The plan of an experiment. Raises `BadInput` for what is unknown, empty, contradictory or too large."""
    planner = _Planner(source)
    for number, play in enumerate(source.experiment.play):
        planner.add(play, f"play.{number}")
    experiment = source.experiment
    plan = Plan(
        schema_version=SCHEMA_VERSION,
        name=experiment.name,
        label=experiment.label,
        seed=experiment.seed,
        common_random_numbers=experiment.common_random_numbers,
        replications=experiment.replications,
        record=experiment.record,
        sample=experiment.sample,
        code=source_hash(),
        rulebooks={name: sim.rulebook(name).version for name in sorted({cell.rulebook for cell in planner.cells})},
        shard_seconds=SHARD_SECONDS,
        units=planner.units,
        cells=planner.cells,
    )
    return Planned(plan, planner.inputs, planner.estimate())


class _Planner:
    """Collects cells and inputs. What several cells share is looked up, settled and checked once."""

    def __init__(self, source: Source) -> None:
        self.experiment = source.experiment
        self.file = source.path
        self.folder = source.path.parent
        self.cells: list[Cell] = []
        self.inputs: dict[str, Any] = {}
        self.units: dict[str, str] = {}
        self.shapes: list[Shape] = []
        self._contents: set[str] = set()
        self._games: dict[str, tuple[dict[str, str], Shape]] = {}
        self._players: dict[str, PlayerSpec] = {}
        self._meant: dict[tuple[str, str], str] = {}

    def add(self, play: Play, key: str) -> None:
        """Adds the cells of one table ``[[play]]``."""
        refs = self._scenarios(play.scenarios, f"{key}.scenarios")
        players = [(self._policies(ref, BLUE, play.blue), self._policies(ref, RED, play.red)) for ref in refs]
        pairings = sum(len(blue) * len(red) for blue, red in players)
        with self._about(key):
            self._refuse_more(pairings * count_points(play.design, play.factors))
            points = points_of(play.design, play.factors, self.folder)
            self._refuse_more(pairings * len(points))  # a list is counted by now
        self.units |= units_of(play.factors)
        for ref, (blue_policies, red_policies) in zip(refs, players, strict=True):
            with self._about(f"{key}.scenarios"):
                given = library.documents(ref)
            for blue in blue_policies:
                for red in red_policies:
                    for point in points:
                        self._add_cell(key, ref, given, red, blue, point)

    def _refuse_more(self, more: int) -> None:
        if len(self.cells) + more > MOST_CELLS:
            raise BadInput(f"asks for more than {MOST_CELLS} cells")

    def estimate(self) -> Estimate:
        """What the cells take in all."""
        n = self.experiment.replications
        rows = [rows_a_game(shape) for shape in self.shapes]
        at = {
            level: n * sum(game[table] * ROW_BYTES[table] for game in rows for table in tables_at(level))
            for level in RECORD_LEVELS
        }
        sample = self.experiment.sample
        size = at[self.experiment.record] + (at[sample.level] / sample.every if sample else 0)
        seconds = n * sum(cell.seconds for cell in self.cells)
        return Estimate(n * len(self.cells), seconds, size, at, self._most())

    def _most(self) -> float:
        """How many times as many games there may be in the end, all cells growing alike."""
        until, n = self.experiment.until, self.experiment.replications
        if until is None:
            return 1.0
        most = until.at_most * len(self.cells)
        return max(1.0, min(most, until.budget or most) / (n * len(self.cells)))

    @contextmanager
    def _about(self, key: str) -> Generator[None]:
        """Says of a `BadInput` which key of the experiment it is about."""
        try:
            yield
        except BadInput as error:
            raise BadInput(str(error), file=self.file, key=key) from None

    def _scenarios(self, texts: Sequence[str], key: str) -> list[ScenarioRef]:
        found: dict[str, ScenarioRef] = {}
        for text in texts:
            rulebook, _, name = text.rpartition("/")
            with self._about(key):
                if name != "*":
                    refs = [library.find_scenario(text, self.folder)]
                elif rulebook and rulebook not in sim.RULEBOOKS:
                    raise BadInput(f"there is no rulebook {rulebook!r}: use {one_of(sim.RULEBOOKS, rulebook)}")
                else:
                    refs = [ref for ref in library.scenarios() if rulebook in ("", ref.rulebook)]
            for ref in refs:
                found[ref.full_name] = ref
                self._is_one(ref.full_name, "", str(ref.path.resolve()), key)
        return list(found.values())

    def _is_one(self, name: str, rulebook: str, meaning: str, key: str) -> None:
        """In the archive a name means one thing."""
        if self._meant.setdefault((rulebook, name), meaning) != meaning:
            raise BadInput(f"two different things are called {name!r}", file=self.file, key=key)

    def _policies(self, ref: ScenarioRef, side: int, texts: Sequence[str]) -> list[str]:
        known = [policy.name for policy in library.policies(ref.rulebook, side)]
        for name in self.experiment.policies:
            if name in known:
                message = f"{ref.rulebook} has a policy of that name: choose another"
                raise BadInput(message, file=self.file, key=f"policies.{name}")
        return list(dict.fromkeys(name for text in texts for name in (known if text == "*" else [text])))

    def _add_cell(self, key: str, ref: ScenarioRef, given: Documents, red: str, blue: str, point: Point) -> None:
        documents, shape = self._game(key, ref, given, point)
        players = [self._player(key, ref, side, text, point) for side, text in ((RED, red), (BLUE, blue))]
        names = documents | {SIDES[player.side]: self._keep("policy", _document(player)) for player in players}
        book = sim.rulebook(ref.rulebook)
        content = hash_of({"rulebook": ref.rulebook, "version": book.version, **names})
        if content in self._contents:
            cell = f"{ref.full_name}, blue {players[BLUE].name}, red {players[RED].name} {point or ''}"
            raise BadInput(f"asks again for a cell that is there already: {cell}", file=self.file, key=key)
        self._contents.add(content)
        self.shapes.append(shape)
        rows = self._rows(shape)
        # A policy's cost is the multiple that a game takes with it; what the game takes by itself counts once.
        seconds = book.cost * max(1.0, players[RED].cost + players[BLUE].cost - 1)
        seed = self.experiment.seed
        self.cells.append(
            Cell(
                number=len(self.cells),
                content=content,
                rulebook=ref.rulebook,
                scenario=ref.full_name,
                red_policy=players[RED].name,
                blue_policy=players[BLUE].name,
                factors=point,
                inputs=CellInputs(**names),
                seed=seed if self.experiment.common_random_numbers else own_seed(seed, content),
                seconds=round(seconds + rows * ROW_SECONDS, 9),
                rows=rows,
            )
        )

    def _rows(self, shape: Shape) -> int:
        rows = rows_a_game(shape)
        sample = self.experiment.sample
        total = sum(rows[table] for table in tables_at(self.experiment.record))
        return total + (sum(rows[table] for table in tables_at(sample.level)) // sample.every if sample else 0)

    def _game(self, key: str, ref: ScenarioRef, given: Documents, point: Point) -> tuple[dict[str, str], Shape]:
        """Names of a game's documents at a design point, checked by loading them, and its shape."""
        settings = {path: value for path, value in point.items() if not path.startswith("doctrine.")}
        which = hash_of([ref.full_name, settings])
        if which not in self._games:
            with self._about(f"{key}.factors" if settings else f"{key}.scenarios"):
                documents = library.settle(given, settings)
                book = sim.rulebook(ref.rulebook)
                setup, _ = book.load(*documents)
            names = {
                kind: self._keep(kind, document)
                for kind, document in zip(("scenario", "map", "rules"), documents, strict=True)
            }
            self._games[which] = names, book.shape(setup)
        return self._games[which]

    def _player(self, key: str, ref: ScenarioRef, side: int, text: str, point: Point) -> PlayerSpec:
        for path in point:
            if path.startswith("doctrine.") and path.split(".")[1] not in SIDES:
                roots = one_of(f"doctrine.{name}." for name in SIDES)
                raise BadInput(f"leads nowhere: use {roots}", file=self.file, key=f"{key}.factors.{path}")
        settings = _below(f"doctrine.{SIDES[side]}.", point)
        which = hash_of([ref.rulebook, side, text, settings])
        if which in self._players:
            return self._players[which]
        own = self.experiment.policies.get(text)
        with self._about(f"{key}.factors" if settings else f"policies.{text}" if own else f"{key}.{SIDES[side]}"):
            inline = own.model_dump(exclude_none=True) if own else None
            player = library.find_player(ref.rulebook, side, text, inline, settings, self.folder)
        self._is_one(player.name, ref.rulebook, hash_of(player.sources), f"{key}.{SIDES[side]}")
        self._players[which] = player
        return player

    def _keep(self, kind: str, document: Any) -> str:
        """The name of a document among the inputs."""
        name = f"{kind}-{hash_of(document)[:16]}"
        self.inputs[name] = document
        return name


def rows_a_game(shape: Shape) -> dict[str, int]:
    """Rows that a usual game has in each table."""
    states = shape.turns + 1
    return {
        "games": 1,
        "turns": states * len(SIDES),
        "units": states * shape.units,
        "territory": states * shape.places,
        "events": math.ceil(shape.events * EVENTS_SHARE),
    }


def _below(root: str, point: Mapping[str, Value]) -> dict[str, Any]:
    return {path.removeprefix(root): value for path, value in point.items() if path.startswith(root)}


def _document(player: PlayerSpec) -> dict[str, Any]:
    """What a player is, without what only sizes shards."""
    document = player._asdict()
    del document["cost"]
    return document

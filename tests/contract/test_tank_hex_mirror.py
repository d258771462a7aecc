"""Tank Hex favours no side: with sides exchanged and the map turned round the mirrored game comes out, die for die."""

import copy

import numpy as np
import pytest

import sim
import sim.tank_hex.state as st
from cluster import library
from sim.game import Player, play
from sim.geometry.hexagon import Labels
from tests.matches import SEED
from tests.wild_tank_hex import WILD

BOOK = sim.rulebook("tank_hex")
SCENARIOS = [ref.full_name for ref in library.scenarios() if ref.rulebook == "tank_hex"] + [
    f"tank_hex/random_{seed}" for seed in (1, 2)
]
POLICIES = [WILD, *BOOK.policies]
PAIRS = [(red, blue) for red in POLICIES for blue in POLICIES]
GAMES = range(12)
HEXES = {f"aim_{slot + 1}" for slot in range(st.PENDING)} | {f"impact_{gun + 1}" for gun in range(st.GUNS)}
OTHER = {"red": "blue", "blue": "red"}
VARIED = {"rings_linger": True, "reshuffle": True, "moved_may_react": True, "close_combat_phase": "events"}


def turned(scenario: dict, board: dict) -> dict:
    """The scenario with sides exchanged and every hex at its image under half a turn."""
    rows = [line.split() for line in board["terrain"].splitlines() if line.strip()]
    labels = Labels(len(rows), len(rows[0]), board["square"], 20)

    def image(label: str) -> str:
        row, column = divmod(labels.number(label), len(rows[0]))
        return labels.label(len(rows) - 1 - row, len(rows[0]) - 1 - column)

    scenario = copy.deepcopy(scenario)
    for unit in scenario["units"]:
        unit["side"], unit["hex"] = OTHER[unit["side"]], image(unit["hex"])
    for objective in scenario["objectives"]:
        objective["holder"], objective["hex"] = OTHER[objective["holder"]], image(objective["hex"])
    for key in ("cards", "decks"):
        if key in scenario:
            scenario[key] = {OTHER[side]: value for side, value in scenario[key].items()}
    return scenario


class Mirror:
    """What a record of one game looks like in the other."""

    def __init__(self, setup) -> None:
        state = setup.state[0]
        self.hexes, self.red, self.units = int(setup.board[0].hexes), int(state.first_blue), int(state.n_units)

    def unit(self, numbers: np.ndarray) -> np.ndarray:
        blue = self.units - self.red
        return np.where(numbers < 0, numbers, np.where(numbers < self.red, numbers + blue, numbers - self.red))

    def table(self, rows: np.ndarray) -> np.ndarray:
        rows = rows.copy()
        for name in rows.dtype.names or ():
            values = rows[name]
            if name in ("actor", "target"):
                rows[name] = self.unit(values)
            elif name in ("side", "holder"):
                rows[name] = np.where(values < 0, values, 1 - values)
            elif name == "hex" or name.endswith("_hex") or name in HEXES:
                rows[name] = np.where(values < 0, values, self.hexes - 1 - values)
            elif name == "direction":
                rows[name] = np.where(values < 0, values, (values - 1 + 3) % 6 + 1)
        return rows

    def games(self, rows: np.ndarray) -> np.ndarray:
        rows = rows.copy()
        before = rows.copy()
        for name in rows.dtype.names or ():
            side, _, rest = name.partition("_")
            if side in OTHER:
                rows[name] = before[f"{OTHER[side]}_{rest}"]
        rows["margin"] = -rows["margin"]
        rows["outcome"] = len(st.OUTCOMES) - 1 - rows["outcome"]
        rows["winner"] = np.where(rows["winner"] == 2, 2, 1 - rows["winner"])
        return rows


def player(policy) -> Player:
    return Player(policy, policy.numbers())


@pytest.mark.parametrize("options", [{}, VARIED], ids=["default", "options"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_mirrored_game_comes_out(scenario, options):
    documents = library.documents(library.find_scenario(scenario))
    documents = library.settle(documents, {f"options.{name}": value for name, value in options.items()})
    setup, _ = BOOK.load(*documents)
    other, _ = BOOK.load(turned(documents.scenario, documents.board), documents.board, documents.rules)
    mirror = Mirror(other)
    for red, blue in PAIRS:
        one = play(BOOK, setup, player(red), player(blue), SEED, GAMES, level="events")
        two = play(BOOK, other, player(blue), player(red), SEED, GAMES, level="events", mirror=True)
        pair = (red.name, blue.name)
        assert (one.games["fault"] == 0).all(), pair
        assert (one.games == mirror.games(two.games)).all(), pair
        assert (one.places == mirror.table(two.places)).all(), pair
        assert (one.sides == mirror.table(two.sides)[:, :, ::-1]).all(), pair
        order = mirror.unit(np.arange(mirror.units))
        swapped = np.empty_like(two.units)
        swapped[:, :, order] = mirror.table(two.units)
        assert (one.units == swapped).all(), pair
        assert (one.event_count == two.event_count).all(), pair
        for game, count in enumerate(one.event_count):
            assert (one.events[game, :count] == mirror.table(two.events[game, :count])).all(), pair


def test_an_unmirrored_game_with_sides_exchanged_is_another():
    """The mirror is more than the exchange of the set-up: without it the dice are read the other way."""
    documents = library.documents(library.find_scenario("tank_hex/village_assault"))
    setup, _ = BOOK.load(*documents)
    other, _ = BOOK.load(turned(documents.scenario, documents.board), documents.board, documents.rules)
    one = play(BOOK, setup, player(WILD), player(WILD), SEED, GAMES)
    two = play(BOOK, other, player(WILD), player(WILD), SEED, GAMES)
    assert (one.games["margin"] != -two.games["margin"]).any()

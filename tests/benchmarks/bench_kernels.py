"""Games and decisions a second on one core, nothing recorded, beside the same code with the compiler off and peers.

Decisions are counted, not estimated: with the compiler off every call of a policy's decision goes through a counter.
What is then measured plays many games of the same pairing: a few games the processor learns by heart, and plays them
half as fast again.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from games import batches, counted, players, worker
from harness import Row, compare, rate

PEERS = ("mesa", "pyspiel")
ROOT = Path(__file__).parents[2]
REPEATS = 3


class Pairing(NamedTuple):
    """Policies of a scenario; ``counted`` games with the compiler off, ``games`` with it in a repeat."""

    scenario: str
    red: str
    blue: str
    counted: int
    games: int

    def __str__(self) -> str:
        return f"{self.scenario}, {self.blue} against {self.red}"


HOLD = Pairing("barbarossa/barbarossa", "medium", "hold", 40, 10_000)
STEADY = Pairing("barbarossa/barbarossa", "medium", "steady", 20, 5_000)
TANK_HEX = Pairing("tank_hex/meeting_engagement", "balanced", "balanced", 2, 1_000)
FIRST_CONTACT = Pairing("first_contact/prokhorovka", "combined", "combined", 1, 100)

AT_LEAST = 200  # times as fast as the interpreter
ORIENTATION = {"barbarossa": 30_000}  # games/s
LEAST_MOVES = 1.0  # of connect four in OpenSpiel a decision of Barbarossa
FASTER_THAN_CHESS = 3
CHESS_SCENARIOS = ("meeting_engagement", "village_assault", "river_crossing")
AGENTS, TURNS = 177, 15  # of the Mesa model: as many as units and turns of First Contact
MESA_GAMES = 20
CHESS_ROLLOUTS = 100
FOUR_ROLLOUTS, FOUR_GAMES = 50_000, 5_000


def main() -> None:
    """With the compiler off: plays a pairing's counted games; prints games, seconds and decisions as JSON."""
    scenario, red, blue, number = sys.argv[1:]
    sides, decisions = counted(players(scenario, red, blue))
    start = time.perf_counter()
    games = sum(len(record.games) for record in batches(scenario, sides, range(int(number))))
    print(json.dumps({"games": games, "seconds": time.perf_counter() - start, "decisions": decisions()}))


def rows() -> list[Row]:
    """The rows of this file."""
    return [
        *(row for pairing in (HOLD, STEADY, TANK_HEX, FIRST_CONTACT) for row in _with_and_without(pairing)),
        *map(_beside_chess, CHESS_SCENARIOS),
        _beside_mesa("that roll a die, 15 turns, DataCollector", _mesa(_rolling), 1),
        _beside_mesa("whose step is empty, 15 turns", _mesa(_idle), None),
    ]


def _with_and_without(pairing: Pairing) -> list[Row]:
    """Games beside the interpreter, decisions beside OpenSpiel's moves."""
    work = worker(pairing.scenario, pairing.red, pairing.blue, range(pairing.games))
    work()
    pairs = []
    for _ in range(REPEATS):
        slow = _compiler_off(pairing)
        pairs.append((rate(work), slow["games"] / slow["seconds"]))
    decisions = slow["decisions"] / slow["games"]
    ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratios = [a / b for a, b in pairs]
    ratio = statistics.median(ratios)
    wished = ORIENTATION.get(pairing.scenario.partition("/")[0])
    target = f"at least {AT_LEAST} times" + (f"; as orientation {wished:,} games/s" if wished else "")
    beside = Row(f"{pairing}", "games/s", ours, "same code, compiler off", theirs, ratio, target, ratio >= AT_LEAST,
                 f"{pairing.games:,} games beside {pairing.counted}", ratios)  # fmt: skip
    return [beside, _beside_connect_four(pairing, work, decisions)]


def _compiler_off(pairing: Pairing) -> dict:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, __file__, *map(str, pairing[:4])]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600, env=environment)
    return json.loads(run.stdout)


def _beside_connect_four(pairing: Pairing, work: Callable[[], int], decisions: float) -> Row:
    moves = _moves_of_connect_four()
    rollouts = _rollouts("connect_four", FOUR_ROLLOUTS)
    ours, theirs, ratios = compare(work, rollouts)
    ratios = [ratio * decisions / moves for ratio in ratios]
    ratio = statistics.median(ratios)
    is_asked = pairing.scenario.startswith("barbarossa/")
    return Row(
        f"{pairing}: decisions",
        "decisions/s",
        ours * decisions,
        "OpenSpiel: moves of connect four, random rollouts of its MCTS bot",
        theirs * moves,
        ratio,
        f"at least {LEAST_MOVES:g} times" if is_asked else "",
        ratio >= LEAST_MOVES if is_asked else None,
        f"{decisions:,.1f} decisions a game, counted in {pairing.counted}; {moves:.1f} moves a game, counted",
        ratios,
    )


def _moves_of_connect_four() -> float:
    """Moves of a game that is played at random: the mean of games of OpenSpiel's own random bots."""
    import pyspiel

    game = pyspiel.load_game("connect_four")
    bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(2)]
    moves = 0
    for seed in range(FOUR_GAMES):
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed)
        moves += state.move_number()
    return moves / FOUR_GAMES


def _rollouts(name: str, rollouts: int) -> Callable[[], int]:
    """The piece of work that OpenSpiel does in C++: each simulation of its search plays one game to the end."""
    import pyspiel

    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, rollouts, 100, False, 1, False)

    def play_them() -> int:
        bot.mcts_search(game.new_initial_state())
        return rollouts

    return play_them


def _beside_chess(scenario: str) -> Row:
    """Whole games of Tank Hex beside OpenSpiel's C++ playing chess at random to the end."""
    work = worker(f"tank_hex/{scenario}", "balanced", "balanced", range(400))
    ours, theirs, ratios = compare(work, _rollouts("chess", CHESS_ROLLOUTS))
    ratio = statistics.median(ratios)
    return Row(
        f"tank_hex/{scenario}, balanced against balanced",
        "games/s",
        ours,
        "OpenSpiel: chess, random rollouts of its MCTS bot",
        theirs,
        ratio,
        f"at least {FASTER_THAN_CHESS} times",
        ratio >= FASTER_THAN_CHESS,
        spread=ratios,
    )


def _beside_mesa(what: str, theirs: Callable[[], int], at_least: float | None) -> Row:
    """A whole game of First Contact beside Mesa 3 stepping as many agents for as many turns."""
    ours, other, ratios = compare(worker(*FIRST_CONTACT[:3], range(100)), theirs)
    ratio = statistics.median(ratios)
    return Row(
        f"{FIRST_CONTACT}",
        "games/s",
        ours,
        f"Mesa: {AGENTS} agents {what}",
        other,
        ratio,
        "at least as fast" if at_least else "",
        ratio >= at_least if at_least else None,
        spread=ratios,
    )


def _mesa(make: Callable[[], type]) -> Callable[[], int]:
    """The piece of work that Mesa does: models of some kind, each stepped through its turns."""
    model = make()

    def step_them() -> int:
        for _ in range(MESA_GAMES):
            game = model()
            for _ in range(TURNS):
                game.step()
        return MESA_GAMES

    return step_them


def _idle() -> type:
    import mesa

    class Idler(mesa.Agent):
        def step(self) -> None:
            pass

    class Field(mesa.Model):
        def __init__(self) -> None:
            super().__init__(seed=1)
            Idler.create_agents(self, AGENTS)

        def step(self) -> None:
            self.agents.do("step")

    return Field


def _rolling() -> type:
    import mesa

    class Roller(mesa.Agent):
        def step(self) -> None:
            self.pips = self.random.randint(1, 6)

    class Field(mesa.Model):
        def __init__(self) -> None:
            super().__init__(seed=1)
            Roller.create_agents(self, AGENTS)
            self.collector = mesa.DataCollector(agent_reporters={"pips": "pips"})

        def step(self) -> None:
            self.agents.do("step")
            self.collector.collect(self)

    return Field


if __name__ == "__main__":
    main()

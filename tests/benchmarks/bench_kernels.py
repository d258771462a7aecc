"""Games a second on one core, nothing recorded, beside the same code with the compiler off, OpenSpiel and Mesa."""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from harness import Row, compare, rates

ROOT = Path(__file__).parents[2]
GAMES = [
    # scenario, red, blue, games a repeat compiled and interpreted, games/s wished for
    ("barbarossa/barbarossa", "medium", "hold", 20_000, 10, 30_000),
    ("barbarossa/barbarossa", "medium", "steady", 20_000, 5, 30_000),
]
AT_LEAST = 200  # times as fast as the interpreter
AGENTS, TURNS = 177, 15  # of the Mesa model: as many as units and turns of First Contact
MESA_GAMES = 20
ROLLOUTS = 100  # games of chess that OpenSpiel plays out at random in a repeat
FASTER_THAN_CHESS = 3
TANK_HEX = ("meeting_engagement", "village_assault", "river_crossing")


def main() -> None:
    """Prints the rates of one row as JSON: called in a process of its own, with the compiler on or off."""
    scenario, red, blue, games = sys.argv[1:]
    print(json.dumps(rates(worker(scenario, red, blue, int(games)), 3)))


def worker(scenario: str, red: str, blue: str, games: int):
    """A piece of work that plays so many games and returns how many."""
    import sim
    from cluster.library import documents, find_player, find_scenario
    from sim.game import BLUE, RED, games_a_batch, play

    ref = find_scenario(scenario)
    book = sim.rulebook(ref.rulebook)
    setup, _ = book.load(*documents(ref))
    players = [find_player(ref.rulebook, side, text).player() for side, text in ((RED, red), (BLUE, blue))]
    batch = games_a_batch(book, book.shape(setup), "games")

    def play_them() -> int:
        for first in range(0, games, batch):
            play(book, setup, players[0], players[1], 1, range(first, min(first + batch, games)))
        return games

    return play_them


def rows() -> list[Row]:
    """The rows of this file."""
    return [*(_row(*game) for game in GAMES), *map(_beside_chess, TANK_HEX), _beside_mesa()]


def _row(scenario: str, red: str, blue: str, games: int, games_interpreted: int, wished: int) -> Row:
    compiled = statistics.median(_in_a_process(scenario, red, blue, games, compiler_off=False))
    interpreted = statistics.median(_in_a_process(scenario, red, blue, games_interpreted, compiler_off=True))
    ratio = compiled / interpreted
    return Row(
        f"{scenario}, {blue} against {red}",
        "games/s",
        compiled,
        "same code, compiler off",
        interpreted,
        ratio,
        f"at least {AT_LEAST} times; as orientation {wished:,} games/s",
        ratio >= AT_LEAST,
    )


def _beside_chess(scenario: str) -> Row:
    """Whole games of Tank Hex beside OpenSpiel's C++ playing chess at random to the end."""
    ours, theirs, ratios = compare(worker(f"tank_hex/{scenario}", "balanced", "balanced", 400), _chess())
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


def _chess():
    """The piece of work that OpenSpiel does: each simulation of the search plays one game to its end."""
    import pyspiel

    chess = pyspiel.load_game("chess")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(chess, evaluator, 2.0, ROLLOUTS, 100, False, 1, False)

    def play_them() -> int:
        bot.mcts_search(chess.new_initial_state())
        return ROLLOUTS

    return play_them


def _beside_mesa() -> Row:
    """A whole game of First Contact beside Mesa 3 stepping as many agents for as many turns, that only roll a die."""
    ours, theirs, ratios = compare(worker("first_contact/prokhorovka", "combined", "combined", 500), _mesa())
    ratio = statistics.median(ratios)
    return Row(
        "first_contact/prokhorovka, combined against combined",
        "games/s",
        ours,
        f"Mesa: {AGENTS} agents that roll a die, {TURNS} turns, DataCollector",
        theirs,
        ratio,
        "at least as fast",
        ratio >= 1,
        spread=ratios,
    )


def _mesa():
    """The piece of work that Mesa does."""
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

    def step_them() -> int:
        for _ in range(MESA_GAMES):
            model = Field()
            for _ in range(TURNS):
                model.step()
        return MESA_GAMES

    return step_them


def _in_a_process(scenario: str, red: str, blue: str, games: int, *, compiler_off: bool) -> list[float]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if compiler_off:
        environment["NUMBA_DISABLE_JIT"] = "1"
    command = [sys.executable, __file__, scenario, red, blue, str(games)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600, env=environment)
    return json.loads(run.stdout)


if __name__ == "__main__":
    main()

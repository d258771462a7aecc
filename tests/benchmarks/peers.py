"""What peers do with trivial models of theirs, in one process or two: ``python peers.py PEER PROCESSES``.

Prints how many runs there were and what they took, as JSON. The clock starts before the peer starts its processes and
ends when it has its results: importing is not counted.
"""

import json
import logging
import sys
import time
import warnings
from collections.abc import Callable

RUNS = 2_000
AXELROD_REPETITIONS = 300


def mesa_batch(processes: int) -> int:
    """Mesa's `batch_run`: agents that roll a die."""
    import mesa
    from mesa_model import TURNS, Field

    runs = mesa.batch_run(
        Field, {"seed": range(RUNS)}, number_processes=processes, max_steps=TURNS, display_progress=False
    )
    return len({run["RunId"] for run in runs})


def ema(processes: int) -> int:
    """The EMA workbench: a function of one number."""
    from ema_workbench import (
        Model,
        MultiprocessingEvaluator,
        RealParameter,
        ScalarOutcome,
        SequentialEvaluator,
        ema_logging,
    )

    ema_logging.get_rootlogger().setLevel(logging.ERROR)
    model = Model("double", function=double)
    model.uncertainties = [RealParameter("x", 0, 1)]
    model.outcomes = [ScalarOutcome("y")]
    evaluator = SequentialEvaluator(model) if processes == 1 else MultiprocessingEvaluator(model, n_processes=processes)
    with evaluator as ready:
        experiments, _ = ready.perform_experiments(scenarios=RUNS, log_progress=True)
    return len(experiments)


def axelrod(processes: int) -> int:
    """An Axelrod tournament of four simple strategies; a run is a match."""
    from axelrod import Cooperator, Defector, Grudger, TitForTat, Tournament

    players = [Cooperator(), Defector(), TitForTat(), Grudger()]
    tournament = Tournament(players, turns=13, repetitions=AXELROD_REPETITIONS)
    tournament.play(processes=None if processes == 1 else processes, progress_bar=False)
    return AXELROD_REPETITIONS * len(players) * (len(players) + 1) // 2


def double(x: float) -> dict[str, float]:
    return {"y": 2 * x}


PEERS: dict[str, Callable[[int], int]] = {"mesa": mesa_batch, "ema_workbench": ema, "axelrod": axelrod}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    peer, processes = sys.argv[1], int(sys.argv[2])
    __import__(peer)
    start = time.perf_counter()
    runs = PEERS[peer](processes)
    print(json.dumps({"runs": runs, "seconds": time.perf_counter() - start}))

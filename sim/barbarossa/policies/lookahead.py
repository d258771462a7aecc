"""lookahead: plays its candidates' turns out in its head and takes the best.

Idea: policy switching by rollout (Bertsekas, Tsitsiklis and Wu, "Rollout algorithms for combinatorial optimization",
1997). At the start of a turn the game is played to its end by each candidate policy, through the game's own turns,
with the same dice for all candidates and in worlds of their own. The turn is then played as the best candidate would.
The first candidate is left only for one that is better by more than chance explains: by ``caution`` standard errors of
the paired difference.

What it does not know is the difficulty that it plays against: the play-outs take the one that the doctrine names.
"""

import numpy as np
from numba import njit

import sim.barbarossa.policies.beeline as beeline
import sim.barbarossa.policies.blitz as blitz
import sim.barbarossa.policies.elastic as elastic
import sim.barbarossa.policies.encircle as encircle
import sim.barbarossa.policies.steady as steady
from sim.barbarossa.board import FROM_MOVEMENT
from sim.barbarossa.policy import (
    answer_by_doctrine,
    give_up_the_fewer,
    lose_the_least,
    place_where_wanted,
    retreat_where_wanted,
    stay,
)
from sim.barbarossa.rules.end import axis_regions, outcome
from sim.barbarossa.rules.game import Game
from sim.barbarossa.seat import Seat
from sim.barbarossa.state import DESK, DRAW, STATE
from sim.barbarossa.turn import play_turn
from sim.compiled import array_njit
from sim.dice import sample_dice
from sim.fields import numbered
from sim.game import BLUE, MEMORY, DoctrineField, Policy

CANDIDATES = (encircle, steady, elastic, blitz, beeline)
N_CANDIDATES = len(CANDIDATES)
ENCIRCLE, STEADY, ELASTIC, BLITZ, BEELINE = numbered(N_CANDIDATES)

OWN = (
    DoctrineField("samples", 8, "play-outs of each candidate", "game", 1, 1000, whole=True),
    DoctrineField("caution", 1.0, "standard errors by which a candidate must be better than the first", "", 0, 100),
    DoctrineField("ground", 0.3, "what all regions together count beside a victory", "victory", 0, 100),
    DoctrineField("difficulty", 1, "difficulty of the Soviet side in the play-outs", "", 0, 4, whole=True),
    *(
        DoctrineField(f"try_{name}", default, f"whether {name} is a candidate", "", 0, 1, whole=True)
        for name, default in (("encircle", 1), ("steady", 0), ("elastic", 1), ("blitz", 0), ("beeline", 1))
    ),
)
SAMPLES, CAUTION, GROUND, DIFFICULTY, TRY_ENCIRCLE, *_ = range(len(OWN))
DOCTRINE = (
    *OWN,
    *(
        field._replace(name=f"{candidate.POLICY.name}_{field.name}")
        for candidate in CANDIDATES
        for field in candidate.DOCTRINE
    ),
)
# Where the doctrine of each candidate begins.
_lengths = [len(OWN), *(len(candidate.DOCTRINE) for candidate in CANDIDATES)]
AT_ENCIRCLE, AT_STEADY, AT_ELASTIC, AT_BLITZ, AT_BEELINE = (int(at) for at in np.cumsum(_lengths)[:-1])
CHOSEN = MEMORY - 1  # place of the memory: the candidate of this turn, from 1


@array_njit
def doctrine_of(candidate, doctrine):
    """A candidate's part of the doctrine."""
    if candidate == ENCIRCLE:
        return doctrine[AT_ENCIRCLE:]
    if candidate == STEADY:
        return doctrine[AT_STEADY:]
    if candidate == ELASTIC:
        return doctrine[AT_ELASTIC:]
    if candidate == BLITZ:
        return doctrine[AT_BLITZ:]
    return doctrine[AT_BEELINE:]


@array_njit
def candidate_move(candidate, game, doctrine, memory, subject, order):
    """The move of a candidate."""
    own = doctrine_of(candidate, doctrine)
    if candidate == ENCIRCLE:
        return encircle.move(game, own, memory, subject, order)
    if candidate == STEADY:
        return steady.move(game, own, memory, subject, order)
    if candidate == ELASTIC:
        return elastic.move(game, own, memory, subject, order)
    if candidate == BLITZ:
        return blitz.move(game, own, memory, subject, order)
    return beeline.move(game, own, memory, subject, order)


@array_njit
def candidate_attack(candidate, game, doctrine, memory, subject, order):
    """The attack of a candidate."""
    own = doctrine_of(candidate, doctrine)
    if candidate == ENCIRCLE:
        return encircle.attack(game, own, memory, subject, order)
    if candidate == STEADY:
        return steady.attack(game, own, memory, subject, order)
    if candidate == ELASTIC:
        return elastic.attack(game, own, memory, subject, order)
    if candidate == BLITZ:
        return blitz.attack(game, own, memory, subject, order)
    return beeline.attack(game, own, memory, subject, order)


# In a play-out the first number of the doctrine is the candidate that plays, instead of the number of samples.


@array_njit
def tried_move(game, doctrine, memory, subject, order):
    """move: that of the candidate that is tried."""
    return candidate_move(np.int64(doctrine[SAMPLES]), game, doctrine, memory, subject, order)


@array_njit
def tried_attack(game, doctrine, memory, subject, order):
    """attack: that of the candidate that is tried."""
    return candidate_attack(np.int64(doctrine[SAMPLES]), game, doctrine, memory, subject, order)


@array_njit
def tried_answer(game, doctrine, memory, subject, order):
    """answer: that of the candidate that is tried."""
    own = doctrine_of(np.int64(doctrine[SAMPLES]), doctrine)
    return answer_by_doctrine(game, own, memory, subject, order)


@njit
def play_out(trial, red, seat):
    """Plays a game from the start of a turn's movement to its end; what the end is worth."""
    while trial.state.turn <= trial.rules.n_turns:
        play_turn(trial, FROM_MOVEMENT, red, seat)
        trial.state.turn += 1
    regions = axis_regions(trial)
    level = outcome(trial, regions)
    victory = 1.0 if level > DRAW else (0.5 if level == DRAW else 0.0)
    return victory + seat.doctrine[GROUND] * regions / trial.state.n_places


@njit
def choose(game, doctrine):
    """The candidate whose play-outs end best, the first unless another is better by more than chance explains."""
    samples = np.int64(doctrine[SAMPLES])
    scratch = np.empty(1, STATE)
    desks = np.empty(1, DESK)
    red = np.zeros(4)
    red[0] = doctrine[DIFFICULTY]
    plan = doctrine.copy()
    first = np.zeros(samples)
    best = 0.0
    chosen = ENCIRCLE
    for candidate in range(N_CANDIDATES):
        if doctrine[TRY_ENCIRCLE + candidate] == 0.0 and candidate != ENCIRCLE:
            continue
        plan[SAMPLES] = candidate
        total = 0.0
        squares = 0.0
        for sample in range(samples):
            scratch[0] = game.state
            dice = sample_dice(game.dice, sample)
            trial = Game(game.board, game.rules, scratch[0], game.log, dice)
            seat = Seat(
                desks[0],
                plan,
                stay,
                tried_move,
                tried_attack,
                lose_the_least,
                tried_answer,
                retreat_where_wanted,
                place_where_wanted,
                give_up_the_fewer,
            )
            value = play_out(trial, red, seat)
            if candidate == ENCIRCLE:
                first[sample] = value
            gain = value - first[sample]
            total += gain
            squares += gain * gain
        mean = total / samples
        spread = np.sqrt(max(squares / samples - mean * mean, 0.0) / samples)
        if mean - doctrine[CAUTION] * spread > best:
            best = mean - doctrine[CAUTION] * spread
            chosen = candidate
    return chosen


@njit
def chosen_now(game, doctrine, memory):
    """The candidate of this turn; chosen when it is first asked for."""
    if memory[CHOSEN] == 0:
        memory[CHOSEN] = 1 + choose(game, doctrine)
    return memory[CHOSEN] - 1


@njit(cache=True)
def move(game, doctrine, memory, subject, order):
    """move: that of the candidate that was chosen for this turn."""
    return candidate_move(chosen_now(game, doctrine, memory), game, doctrine, memory, subject, order)


@njit(cache=True)
def attack(game, doctrine, memory, subject, order):
    """attack: that of the candidate that was chosen for this turn."""
    return candidate_attack(memory[CHOSEN] - 1, game, doctrine, memory, subject, order)


@njit(cache=True)
def answer(game, doctrine, memory, subject, order):
    """answer: that of the candidate of this turn, the first if the turn began with the Soviet phase."""
    candidate = max(memory[CHOSEN] - 1, 0)
    return answer_by_doctrine(game, doctrine_of(candidate, doctrine), memory, subject, order)


POLICY = Policy(
    "lookahead",
    BLUE,
    "plays its candidates' turns out in its head and takes the best",
    (stay, move, attack, lose_the_least, answer, retreat_where_wanted, place_where_wanted, give_up_the_fewer),
    DOCTRINE,
    cost=400.0,
)

"""State of a game of Barbarossa Solitaire: every field, its unit and its empty value."""

import numpy as np

from sim.fields import COMMON_PLACES, PLACE_NAMES, UNIT_NAMES, Field, Tables, layout, numbered, records
from sim.log import log_layout
from sim.seat import desk_layout

SOVIET, AXIS = numbered(2)  # sides and holders: red and blue
NOWHERE = np.int64(-1)  # region of a unit that is not on the map; end of a list of neighbours or units

NATIONS = ("german", "rumanian", "hungarian", "italian")
GERMAN, RUMANIAN, HUNGARIAN, ITALIAN = numbered(NATIONS)

STATUSES = ("on_map", "waiting", "gone")
ON_MAP, WAITING, GONE = numbered(STATUSES)

OUTCOMES = ("soviet_major", "soviet_minor", "draw", "axis_minor", "axis_major")
_, _, DRAW, _, _ = numbered(OUTCOMES)

END_REASONS = ("scored", "all_sources_taken", "failed")
SCORED, ALL_SOURCES_TAKEN, FAILED = numbered(END_REASONS)

# What a policy can get wrong: such a game ends with this fault and no result.
FAULTS = (
    "none",
    "bad_deployment",
    "bad_move",
    "bad_attack",
    "bad_loss",
    "bad_answer",
    "bad_retreat",
    "bad_placement",
    "bad_nation",
    "too_many_events",
)
(
    NO_FAULT,
    BAD_DEPLOYMENT,
    BAD_MOVE,
    BAD_ATTACK,
    BAD_LOSS,
    BAD_ANSWER,
    BAD_RETREAT,
    BAD_PLACEMENT,
    BAD_NATION,
    TOO_MANY_EVENTS,
) = numbered(FAULTS)

EVENT_KINDS = (
    "move",
    "assault",
    "attack",
    "isolated",
    "vacated",
    "reinforcement",
    "soviet_attack",
    "retreat",
    "lost",
    "left_the_game",
)
(
    MOVE,
    ASSAULT,
    ATTACK,
    ISOLATED,
    VACATED,
    REINFORCEMENT,
    SOVIET_ATTACK,
    RETREAT,
    LOST,
    LEFT_THE_GAME,
) = numbered(EVENT_KINDS)

# Results of attacks; the first three are those of BB-3.2, the next those of BB-5.4.
RESULTS = ("repulsed", "taken_at_a_loss", "taken", "nothing", "retreat_or_loss", "loss", "garrison_removed")
REPULSED, TAKEN_AT_A_LOSS, TAKEN, NOTHING, RETREAT_OR_LOSS, LOSS, GARRISON_REMOVED = numbered(RESULTS)

UNITS = (
    Field("nation", "name", "nation of the unit", names=NATIONS),
    Field("status", "name", "on the map, waiting to come (again), or gone for good", names=STATUSES),
    Field("region", "name", "region where it stands", names=PLACE_NAMES, empty=-1),
    Field("due", "int8", "turn in which it may come (BB-4.1)", "turn", empty=0),
    Field("rank", "int16", "place in the order of losses; 0 for units of the calendar (BB-4.1)", empty=-1),
    Field("moved_in", "", "turn in which it last moved (BB-2.1)"),
    Field("attacked_in", "", "turn in which it last attacked (BB-3.4)"),
    Field("stood_alone", "", "was alone in its region when the attack phase began, if that matters (BB-3.4)"),
)

PLACES = (
    *COMMON_PLACES,
    Field("garrison", "bool", "holds a garrison marker"),
    Field("units", "int8", "units in the region", "unit"),
    Field("front", "bool", "is a front region (BB-1.6)"),
    Field("attacked_in", "", "turn in which it was last attacked (BB-3.4)"),
)

SIDES = (
    Field("territory", "int32", "regions held", "region"),
    Field("on_map", "int8", "units on the map", "unit", empty=-1),
    Field("waiting", "int8", "units waiting to come (again)", "unit", empty=-1),
    Field("gone", "int8", "units gone for good", "unit", empty=-1),
    Field("attacks", "int8", "attacks made this turn", "attack"),
    Field("captured", "int8", "regions taken this turn, those cut off or vacated included", "region"),
    Field("lost", "int8", "units lost this turn", "unit", empty=-1),
    Field("losses", "int16", "units lost so far: the rank of the last one lost (BB-4.1)", "unit", empty=-1),
    Field("decided", "int8", "turn in which the last supply source was taken (BB-3.3)", "turn", empty=0),
    Field("retreat_year", "int16", "calendar year of the last retreat, for the Fuhrer order (BB-7.1)", "year", empty=0),
)

GAMES = (
    Field("winner", "name", "side that won", names=("red", "blue", "draw"), empty=-1),
    Field("outcome", "name", "level of victory (BB-6.1)", names=OUTCOMES, empty=-1),
    Field("margin", "int32", "Axis regions at the end less those of a draw", "region", empty=-(2**31)),
    Field("turns", "int16", "turn of the calendar with which the game was decided", "turn"),
    Field("end_reason", "name", "why the game ended", names=END_REASONS, empty=-1),
    Field("red_territory", "int32", "Soviet regions at the end", "region", empty=-1),
    Field("blue_territory", "int32", "Axis regions at the end", "region", empty=-1),
    Field("fault", "name", "what a policy got wrong", names=FAULTS, empty=0),
    Field("fault_turn", "int16", "turn of the fault", "turn", empty=0),
    Field("fault_value", "int64", "value that was wrong", empty=-(2**63)),
    Field("axis_units_lost", "int16", "Axis units lost in the game, a unit lost twice counted twice", "unit", empty=-1),
)

EVENTS = (
    Field("turn", "", "turn of the calendar"),
    Field("kind", "name", "what happened", names=EVENT_KINDS),
    Field("side", "name", "side that acts", names=("red", "blue"), empty=-1),
    Field("actor", "name", "unit that acts or suffers", names=UNIT_NAMES, empty=-1),
    Field("place", "name", "region where it happened: the target of an attack", names=PLACE_NAMES, empty=-1),
    Field("origin", "name", "region that a unit came from", names=PLACE_NAMES, empty=-1),
    Field("units", "int8", "units that attacked or were attacked", "unit", empty=-1),
    Field("modifier", "int8", "modifier of the die (BB-3.2)", "pip", empty=-128),
    Field("dice", "int8", "pips of the D3, before the modifier", "pip", empty=0),
    Field("result", "name", "result of an attack", names=RESULTS, empty=-1),
    Field("losses", "int32", "units lost by the Axis", "unit", empty=-1),
    Field("captured", "bool", "the region changed hands"),
    Field("isolated", "int8", "regions cut off by it (BB-3.3)", "region", empty=-1),
)

TABLES = Tables(games=GAMES, sides=SIDES, units=UNITS, places=PLACES, events=EVENTS)


MOST_UNITS = 24  # of a scenario, those to come included
MOST_PLACES = 40  # of a map

STATE = layout(
    ("turn", (), "turn of the calendar that is being played, from 1 (S41)"),
    ("n_units", (), "units of the scenario"),
    ("n_places", (), "regions of the map"),
    ("fault", (), "what a policy got wrong, one of FAULTS"),
    ("fault_turn", (), "turn of the fault"),
    ("fault_value", (), "value that was wrong"),
    ("units", (MOST_UNITS,), "units of the scenario", UNITS),
    ("places", (MOST_PLACES,), "regions of the map", PLACES),
    ("sides", (2,), "one row for each side: SOVIET, AXIS", SIDES),
    # Counts that follow from the above and are kept in step with it, as `units` and `front` of a region are.
    ("stacks", (MOST_PLACES, len(NATIONS)), "units of each nation in a region"),
    ("soviet_lines", (MOST_PLACES,), "lines that join a region to Soviet ones (BB-1.6)"),
    ("fronts", (MOST_PLACES,), "front regions, ascending (BB-1.6)"),
    ("n_fronts", (), "how many there are"),
    ("first_in", (MOST_PLACES,), "first unit in a region, NOWHERE if there is none"),
    ("next_in", (MOST_UNITS,), "the next unit in the same region, NOWHERE if there is no more"),
    ("by_status", (len(STATUSES),), "units of each status"),
    ("in_play", (len(NATIONS),), "units of each nation that are not gone for good"),
)
"""Everything that the next turn depends on, as one record: copying it copies the game.

Where units stand, their status and who holds regions is written by `go`, `become` and `take` of `rules.game` alone,
which keep the counts.
"""


# A unit moves, attacks and comes once a turn, and few are in many Soviet attacks, of which there are so many at most.
MOST_SOVIET_ATTACKS = 200  # a turn, where every 5 means two more; the chance to reach it is below 10**-25
MOST_EVENTS = 8 * MOST_UNITS + MOST_PLACES + MOST_SOVIET_ATTACKS

LOG = log_layout(MOST_EVENTS, EVENTS)

ORDER = MOST_UNITS + 1
"""Numbers in ``order``: all units and the end of the list."""

DESK = desk_layout(ORDER, LOG)


def empty_state(n_units: int, n_places: int) -> np.recarray:
    """States (1,) with every field at its empty value."""
    state = np.zeros(1, STATE).view(np.recarray)
    state.n_units = n_units
    state.n_places = n_places
    for name, fields in (("units", UNITS), ("places", PLACES), ("sides", SIDES)):
        state[0][name][:] = records(fields, 1)[0]
    return state

"""State of a game of Tank Hex: every field, its unit and its empty value."""

import numpy as np

from sim.fields import COMMON_PLACES, PLACE_NAMES, UNIT_NAMES, Field, Tables, layout, numbered, records
from sim.game import SIDES as SIDE_NAMES
from sim.log import log_layout
from sim.seat import desk_layout

RED, BLUE = numbered(SIDE_NAMES)
NOWHERE = np.int64(-1)  # hex of a destroyed tank, neighbour off the map, end of a list, no unit, no card

TERRAINS = ("open", "woods", "built_up", "water")
OPEN, WOODS, BUILT_UP, WATER = numbered(TERRAINS)

# Results of a shot from the least to the worst (TH-4.5, TH-7.1).
RESULTS = ("none", "suppressed", "fire_kill", "mobility_kill", "destroyed")
NO_RESULT, SUPPRESSED, FIRE_KILL, MOBILITY_KILL, DESTROYED = numbered(RESULTS)

WEAPONS = ("85mm", "155mm", "122mm")
GUN_85, BATTERY_155, BATTERY_122 = numbered(WEAPONS)

CARDS = ("rush", "firepower", "repair", "reactive_armour", "rapid_loading", "battery_155", "battery_122")
RUSH, FIREPOWER, REPAIR, REACTIVE_ARMOUR, RAPID_LOADING, CARD_155, CARD_122 = numbered(CARDS)

PHASES = ("preparation", "fire", "movement", "close_combat", "events")
PREPARATION, FIRE, MOVEMENT, CLOSE_COMBAT_PHASE, EVENTS_PHASE = numbered(PHASES)

# The first seven are kinds of fire.
EVENT_KINDS = (
    "direct",
    "opportunity",
    "covering",
    "on_the_move",
    "short_halt",
    "close_combat",
    "barrage",
    "gun",
    "move",
    "illegal_step",
    "crowded_out",
    "objective",
    "card_drawn",
    "card_played",
    "cards_exchanged",
)
(
    DIRECT,
    OPPORTUNITY,
    COVERING,
    ON_THE_MOVE,
    SHORT_HALT,
    CLOSE_COMBAT,
    BARRAGE,
    GUN,
    MOVE,
    ILLEGAL_STEP,
    CROWDED_OUT,
    OBJECTIVE,
    CARD_DRAWN,
    CARD_PLAYED,
    CARDS_EXCHANGED,
) = numbered(EVENT_KINDS)

# What became of a declared shot or of a battery's gun.
FATES = ("rolled", "no_sight", "out_of_range", "no_effect", "not_rolled", "landed", "did_not_arrive", "off_the_map")
ROLLED, NO_SIGHT, OUT_OF_RANGE, NO_EFFECT, NOT_ROLLED, LANDED, DID_NOT_ARRIVE, OFF_THE_MAP = numbered(FATES)

OUTCOMES = (
    "red_decisive",
    "red_clear",
    "red_marginal",
    "draw",
    "blue_marginal",
    "blue_clear",
    "blue_decisive",
)
DRAW = numbered(OUTCOMES)[3]

END_REASONS = ("turn_limit", "side_destroyed", "failed")
TURN_LIMIT, SIDE_DESTROYED, FAILED = numbered(END_REASONS)

# What a policy can get wrong: such a game ends with this fault and no result. An order that breaks a rule of the book
# is no fault: it has the consequences that the rule states (TH-6.7).
FAULTS = (
    "none",
    "bad_unit",
    "bad_target",
    "bad_shooter",
    "bad_march",
    "bad_direction",
    "bad_aim",
    "bad_answer",
    "too_many_events",
)
(
    NO_FAULT,
    BAD_UNIT,
    BAD_TARGET,
    BAD_SHOOTER,
    BAD_MARCH,
    BAD_DIRECTION,
    BAD_AIM,
    BAD_ANSWER,
    TOO_MANY_EVENTS,
) = numbered(FAULTS)

GUNS = 6  # guns of a battery that the record has room for

UNITS = (
    Field("side", "name", "side of the tank", names=SIDE_NAMES),
    Field("hex", "int16", "hex where it stands: row times the map's columns plus column", empty=-1),
    Field("destroyed", "bool", "has left the map (TH-4.8)"),
    Field("fire_kill", "bool", "can't fire (TH-4.8)"),
    Field("mobility_kill", "bool", "can't move (TH-4.8)"),
    Field("suppressed", "bool", "carries an S marker (TH-4.8, TH-5.4)"),
    Field("was_suppressed", "bool", "has carried an S marker at some time this turn"),
    Field("fired", "bool", "carries the marker: has fired this turn (TH-2.2)"),
    Field("fired_at", "bool", "carries the marker: has been fired at this turn (TH-2.2)"),
    Field("moved", "bool", "carries the marker: has had its move this turn (TH-2.2)"),
    Field("marched", "bool", "carries the marker: its move was a march (TH-6.1)"),
    Field("in_combat", "bool", "shares its hex with the enemy: close combat (TH-6.8)"),
    Field("allowance", "int8", "movement points of its move this turn, 0 without a move", "MP"),
    Field("spent", "int8", "movement points spent this turn", "MP"),
    Field("hexes", "int8", "hexes entered this turn", "hex"),
    Field("stabilised", "bool", "can fire on the move (TH-6.4); else in a short halt (TH-6.5)"),
    Field("shots", "", "shots rolled this turn: address of the next one's dice"),
    Field("shells", "", "shells suffered this turn: address of the next one's dice"),
)

PLACES = (
    *COMMON_PLACES,
    Field("hex", "int16", "hex of the objective", empty=-1),
)

_IMPACTS = tuple(
    Field(f"impact_{gun + 1}", "int16", f"hex of the impact marker of gun {gun + 1} (TH-7.4)", empty=-1)
    for gun in range(GUNS)
)

SIDES = (
    Field("armour_able", "int32", "tanks without fire-kill or mobility-kill", "vehicle"),
    Field("armour_lost", "int32", "tanks destroyed so far", "vehicle"),
    Field("territory", "int32", "objectives held", "place"),
    Field("points", "int32", "points (TH-8.1)", "point"),
    Field("tanks", "int8", "tanks on the map", "vehicle"),
    Field("beaten", "int8", "turn in which it lost its last tank (TH-8.1)", "turn", empty=0),
    Field("first_to_fire", "bool", "declared first in the fire phase (TH-5.2)"),
    Field("first_to_move", "bool", "moved first in the movement phase (TH-5.2)"),
    Field("illegal", "int16", "orders so far that broke a rule (TH-6.7)", "order"),
    Field("card", "name", "card that acts this turn (TH-7.1)", names=CARDS, empty=-1),
    Field("card_uses", "int8", "times that it has been used", empty=0),
    Field("drawn", "name", "card drawn in this turn's events: acts in the next", names=CARDS, empty=-1),
    Field("deck", "int16", "cards left to draw: bit k for the card numbered k", empty=-1),
    Field("cards_drawn", "int8", "cards drawn from this deck", "card", empty=-1),
    Field("battery_1", "name", "battery that has been called (TH-7.2)", names=WEAPONS, empty=-1),
    Field("aim_1", "int16", "its aim hex", empty=-1),
    Field("due_1", "int8", "turn in which its shells land", "turn", empty=0),
    Field("battery_2", "name", "another battery that has been called", names=WEAPONS, empty=-1),
    Field("aim_2", "int16", "its aim hex", empty=-1),
    Field("due_2", "int8", "turn in which its shells land", "turn", empty=0),
    Field("impact_battery", "name", "battery whose impact markers lie on the map", names=WEAPONS, empty=-1),
    *_IMPACTS,
)

GAMES = (
    Field("winner", "name", "side that won", names=(*SIDE_NAMES, "draw"), empty=-1),
    Field("outcome", "name", "level of victory (TH-8.1)", names=OUTCOMES, empty=-1),
    Field("margin", "int32", "points of blue less those of red", "point", empty=-(2**31)),
    Field("turns", "int16", "number of the turn with which the game was over", "turn"),
    Field("end_reason", "name", "why the game ended", names=END_REASONS, empty=-1),
    *(
        Field(f"{side}_{what}", "int32", f"{meaning} of {side}", unit, empty=-1)
        for side in SIDE_NAMES
        for what, meaning, unit in (
            ("armour_start", "tanks at the start", "vehicle"),
            ("armour_lost", "tanks destroyed", "vehicle"),
            ("territory", "objectives held at the end", "place"),
            ("points", "points", "point"),
            ("illegal", "orders that broke a rule", "order"),
        )
    ),
    Field("fault", "name", "what a policy got wrong", names=FAULTS, empty=0),
    Field("fault_turn", "int16", "turn of the fault", "turn", empty=0),
    Field("fault_value", "int64", "value that was wrong", empty=-(2**63)),
)

EVENTS = (
    Field("turn", "", "turn"),
    Field("phase", "name", "phase of the turn (TH-5.1)", names=PHASES),
    Field("kind", "name", "what happened; of fire its kind", names=EVENT_KINDS),
    Field("side", "name", "side that acts", names=SIDE_NAMES, empty=-1),
    Field("actor", "name", "tank that fires or moves", names=UNIT_NAMES, empty=-1),
    Field("target", "name", "tank fired at", names=UNIT_NAMES, empty=-1),
    Field("weapon", "name", "weapon fired", names=WEAPONS, empty=-1),
    Field("range_m", "int32", "distance to the target", "m", empty=-1),
    Field("result", "name", "result after all corrections", names=RESULTS, empty=-1),
    Field("dice", "int8", "sum of both dice", "pip", empty=-1),
    Field("losses", "int32", "tanks destroyed by it", "vehicle", empty=-1),
    Field("declaration", "int16", "number of the declaration in its turn: shots of one belong together", empty=-1),
    Field("fate", "name", "what became of the shot or the gun", names=FATES, empty=-1),
    Field("actor_hex", "int16", "hex of the shooter; of a move or a gun where it set out from", empty=-1),
    Field("target_hex", "int16", "hex of the target; of a move or a gun where it ended", empty=-1),
    Field("distance", "int8", "distance to the target; of a shell to its impact; of a gun its drift", "hex", empty=-1),
    Field("height", "int8", "grade of the target less that of the shooter", "grade", empty=-128),
    Field("level_by_table", "int8", "level by distance, or by ring", "level", empty=-1),
    Field("level", "int8", "level after height and modifiers", "level", empty=-128),
    Field("die_1", "int8", "first die", "pip", empty=-1),
    Field("die_2", "int8", "second die", "pip", empty=-1),
    Field("terrain", "name", "terrain of the target", names=TERRAINS, empty=-1),
    Field("armour_die", "int8", "armour die", "pip", empty=-1),
    Field("table_result", "name", "result by the table", names=RESULTS, empty=-1),
    Field("suppressed", "bool", "the shooter was suppressed (TH-4.8)"),
    Field("braced", "bool", "reactive armour lowered the result (TH-7.1)"),
    Field("card", "name", "card drawn, played or acting on the shot", names=CARDS, empty=-1),
    Field("gun", "int8", "number of the battery's gun, from 1", empty=-1),
    Field("direction", "int8", "direction of the gun's drift, 1 to 6 (TH-1.3)", empty=-1),
    Field("spent", "int8", "movement points spent on a move", "MP", empty=-1),
    Field("hexes", "int8", "hexes entered in a move", "hex", empty=-1),
    Field("marched", "bool", "the move was a march"),
    Field("place", "name", "objective that changed hands", names=PLACE_NAMES, empty=-1),
)

TABLES = Tables(games=GAMES, sides=SIDES, units=UNITS, places=PLACES, events=EVENTS)


MOST_TANKS = 16  # of a side
MOST_UNITS = 2 * MOST_TANKS
MOST_PLACES = 8  # objectives of a scenario
PENDING = 2  # batteries of a side that may be under way: one drawn each turn, landing two turns later

STATE = layout(
    ("turn", (), "turn that is being played, from 1"),
    ("phase", (), "phase of the turn, one of PHASES"),
    ("n_units", (), "tanks of the scenario: red's, then blue's"),
    ("first_blue", (), "number of blue's first tank"),
    ("n_places", (), "objectives of the scenario"),
    ("declarations", (), "declarations of fire so far this turn"),
    ("fault", (), "what a policy got wrong, one of FAULTS"),
    ("fault_turn", (), "turn of the fault"),
    ("fault_value", (), "value that was wrong"),
    ("impact_battery", (2,), "battery of each side whose impact markers lie on the map, or NOWHERE"),
    ("impacts", (2, GUNS), "hexes of the impact markers of each side, or NOWHERE"),
    ("units", (MOST_UNITS,), "tanks of the scenario", UNITS),
    ("places", (MOST_PLACES,), "objectives of the scenario", PLACES),
    ("sides", (2,), "one row for each side; cards and batteries stand in HIDDEN while a game is played", SIDES),
)
"""Everything open that the next turn depends on, as one record: copying it copies the game."""

HIDDEN = layout(
    ("card", (2,), "card that acts this turn, or NOWHERE"),
    ("drawn", (2,), "card drawn for the next turn, or NOWHERE"),
    ("deck", (2,), "cards left to draw, as bits"),
    ("cards_drawn", (2,), "cards drawn from this deck"),
    ("battery", (2, PENDING), "batteries called, or NOWHERE"),
    ("aim", (2, PENDING), "their aim hexes, or NOWHERE"),
    ("due", (2, PENDING), "turns in which their shells land"),
)
"""What a side knows of its own cards and aims alone (TH-7.2). A policy sees the enemy's row empty: NOWHERE."""


ORDER = MOST_TANKS + 4
"""Numbers in ``order``: a side's tanks, the end of the list, and the places below."""
FIREPOWER_FOR = np.int64(ORDER - 2)
"""Place in ``order`` of the shooter that gains by the card firepower, `NOWHERE` for none (TH-7.1)."""
SECOND_TARGET = np.int64(ORDER - 1)
"""Place in ``order`` of the second target of the last shooter by rapid loading, `NOWHERE` for none (TH-7.1)."""

SPARE_EVENTS = 600
"""Room for what has no bound: rounds of close combat and shells on tanks in a whole game."""
MOST_EVENTS = 4 * 2 * MOST_TANKS + 2 * (6 + GUNS) + 2 * SPARE_EVENTS  # of a turn, see `rulebook`

LOG = log_layout(MOST_EVENTS, EVENTS)

DESK = desk_layout(
    ORDER,
    LOG,
    ("named", "i8", (MOST_TANKS + 1,)),  # shooters of its last declaration that stood
    ("hidden", HIDDEN, (1,)),  # cards and aims as it sees them
)


def empty_state(n_units: int, first_blue: int, n_places: int) -> np.recarray:
    """States (1,) with every field at its empty value."""
    state = np.zeros(1, STATE).view(np.recarray)
    state.n_units = n_units
    state.first_blue = first_blue
    state.n_places = n_places
    state.impact_battery = NOWHERE
    state.impacts = NOWHERE
    for name, fields in (("units", UNITS), ("places", PLACES), ("sides", SIDES)):
        state[0][name][:] = records(fields, 1)[0]
    return state

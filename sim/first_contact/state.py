"""State of a game of First Contact: every field, its unit and its empty value."""

import numpy as np

from sim.fields import COMMON_PLACES, COMMON_SIDES, UNIT_NAMES, Field, Tables, layout, numbered, records
from sim.geometry.square import DIRECTIONS, WIDTH
from sim.log import log_layout
from sim.seat import desk_layout

SOVIET, GERMAN = numbered(2)  # sides and holders: red and blue
NOWHERE = np.int64(-1)  # cell of a unit that is not on the map; number of a unit, trench or objective that is none

# What a cell is (chapter 6). A trench, a barn and a house replace the terrain that they lie in (FC-6.8).
TERRAINS = ("plain", "forest", "hill", "road", "barn", "house", "haystack", "trench")
PLAIN, FOREST, HILL, ROAD, BARN, HOUSE, HAYSTACK, TRENCH = numbered(TERRAINS)

# The three trenches (FC-6.8): the German one on the edge of the forest, the Soviet ones on the hills.
TRENCHES = ("west_trench", "middle_trench", "top_trench")
WEST_TRENCH, MIDDLE_TRENCH, TOP_TRENCH = numbered(TRENCHES)

# FC-11.2
OBJECTIVES = ("farm", "middle_trench", "top_trench")
FARM, MIDDLE_OBJECTIVE, TOP_OBJECTIVE = numbered(OBJECTIVES)

# Kinds of unit (FC-2.5); all but squads are vehicles (FC-5.6).
KINDS = ("squad", "t34_76", "t34_85", "su152", "panther", "tiger")
SQUAD, T34_76, T34_85, SU152, PANTHER, TIGER = numbered(KINDS)
VEHICLES = KINDS[1:]
ON_FOOT, ON_TRACKS = numbered(2)  # how terrain treats a unit: squads and vehicles (chapter 6)

STATUSES = ("on_map", "waiting", "gone", "unseen")
ON_MAP, WAITING, GONE, UNSEEN = numbered(STATUSES)  # the last only in what the other side is shown (FC-5.9)

MORALES = ("broken", "low", "normal", "high")
BROKEN, LOW, NORMAL, HIGH = numbered(MORALES)

# What a unit did in the fire phase, and the modes of fire (FC-5.1).
MODES = ("hold", "fire", "suppress")
HOLD_FIRE, FIRE, SUPPRESS = numbered(MODES)

FACINGS = ("front", "side", "rear")
FRONT, SIDE, REAR = numbered(FACINGS)

WEAPONS = ("small_arms", "machine_gun", "anti_tank", "gun", "mortar", "melee")
SMALL_ARMS, MACHINE_GUN, ANTI_TANK, GUN, MORTAR, HAND_TO_HAND = numbered(WEAPONS)

OUTCOMES = ("soviet_decisive", "soviet_marginal", "german_marginal", "german_decisive")
SOVIET_DECISIVE, SOVIET_MARGINAL, GERMAN_MARGINAL, GERMAN_DECISIVE = numbered(OUTCOMES)

END_REASONS = ("last_turn", "no_able_units", "failed")
LAST_TURN, NO_ABLE_UNITS, FAILED = numbered(END_REASONS)

# What a policy can get wrong: such a game ends with this fault and no result.
FAULTS = ("none", "bad_barrage", "bad_move", "bad_facing", "bad_target", "bad_mode", "too_many_events")
NO_FAULT, BAD_BARRAGE, BAD_MOVE, BAD_FACING, BAD_TARGET, BAD_MODE, TOO_MANY_EVENTS = numbered(FAULTS)

EVENT_KINDS = ("arrival", "barrage", "shell", "shot", "rout", "melee")
ARRIVAL, BARRAGE, SHELL, SHOT, ROUT, MELEE = numbered(EVENT_KINDS)

RESULTS = (
    "no_effect",  # the fire roll failed (FC-5.10), or shells struck nobody
    "effect",  # a shot at a squad took effect; what the squad suffers stands with one shot of those (FC-5.2)
    "ricochet",
    "penetrated",
    "stunned",
    "destroyed",
    "stood",
    "routed",
    "wiped_out",
)
NO_EFFECT, EFFECT, RICOCHET, PENETRATED, STUNNED, DESTROYED, STOOD, ROUTED, WIPED_OUT = numbered(RESULTS)

UNITS = (
    Field("side", "name", "side of the unit", names=("red", "blue")),
    Field("kind", "name", "what the unit is (FC-2.5)", names=KINDS),
    Field("status", "name", "on the map, waiting to come, or wiped out or destroyed", names=STATUSES),
    Field(
        "location", "int32", "its cell on the map, row * 400 + column; of a unit that is gone, the last one", empty=-1
    ),
    Field("facing", "name", "direction that a vehicle faces (FC-4.5)", names=DIRECTIONS, empty=-1),
    Field("men", "int8", "men able to fight: of a squad, or the crew of a vehicle", "man"),
    Field("wounded", "int8", "men wounded so far", "man"),
    Field("dead", "int8", "men dead so far; of a vehicle, crew lost", "man"),
    Field("ammunition", "int8", "ammunition left (FC-8.1)", "issue"),
    Field("morale", "name", "morale of a squad (FC-9.2)", names=MORALES, empty=-1),
    Field("attacks", "int8", "own attacks that count towards a better morale (FC-9.1)", "turn"),
    Field("supports", "int8", "supporting attacks that count towards a better morale (FC-9.1)", "turn"),
    Field("cannot_fire", "bool", "a vehicle whose side was penetrated (FC-5.4)"),
    Field("cannot_move", "bool", "a vehicle whose rear was penetrated (FC-5.4)"),
    Field("stunned", "bool", "a vehicle that a barrage stunned this turn (FC-7.3)"),
    Field("in_trench", "bool", "stood in a trench at the end of the last turn"),
    Field("moved", "bool", "moved or retreated this turn"),
    Field("fired", "name", "what it did in the fire phase (FC-5.1)", names=MODES),
    Field("entered", "int8", "turn in which a vehicle entered the barn where it is (FC-6.5)", "turn", empty=0),
    # Of the set-up: the same in every turn.
    Field("anti_tank", "", "1 for a squad with an anti-tank weapon (FC-2.6)"),
    Field("machine_gun", "", "1 for a squad with a machine gun (FC-2.6)"),
    Field("issue", "", "ammunition at the start (FC-2.1, FC-2.3)", "issue"),
    Field("arrives", "", "turn at whose start it comes, 0 for a unit that is there (FC-2.7)", "turn"),
    # Within a turn.
    Field("began", "", "cell at the start of the turn (FC-8.2)", empty=-1),
    Field("allowance", "", "what is left of its movement roll (FC-4.1), in parts of a pip (`board.RULES`)"),
    Field("target", "", "unit that it has declared to fire at (FC-3.2)", empty=-1),
)

PLACES = COMMON_PLACES

_COMMON = {field.name: field for field in COMMON_SIDES}
SIDES = (
    *(_COMMON[name] for name in ("men_able", "dead", "wounded", "armour_able", "armour_lost", "ammunition")),
    Field("territory", "int32", "sectors held (FC-11.1)", "place", empty=-1),
    *(Field(f"{kind}_able", "int8", f"vehicles of kind {kind} that can fire or move", "vehicle") for kind in VEHICLES),
    Field("crew_lost", "int16", "crew of vehicles lost so far", "man"),
    Field("disarmed", "int8", "vehicles that can move but not fire", "vehicle"),
    Field("immobile", "int8", "vehicles that can fire but not move", "vehicle"),
    Field("waiting", "int8", "units that have still to come", "unit"),
    Field("objectives", "int8", "objectives held (FC-11.2)", "place"),
    Field("objective_turns", "int16", "objectives held, summed over the turns so far (FC-11.4)", "place"),
    Field("beaten", "int8", "turn after which it had no able unit and none to come (FC-11.3)", "turn", empty=0),
    Field("barrages", "int8", "barrages that it may still call (FC-7.1)", "barrage"),
)

GAMES = (
    Field("winner", "name", "side that won", names=("red", "blue", "draw"), empty=-1),
    Field("outcome", "name", "level of victory (FC-11.3)", names=OUTCOMES, empty=-1),
    Field(
        "margin", "int32", "objective-turns of the Germans less those of the Soviets (FC-11.4)", "place", empty=-(2**31)
    ),
    Field("turns", "int16", "turn with which the game was over", "turn"),
    Field("end_reason", "name", "why the game ended", names=END_REASONS, empty=-1),
    *(
        Field(f"{side}_{what}", archive, f"{meaning} of {side}", unit, empty=-1)
        for side in ("red", "blue")
        for what, archive, meaning, unit in (
            ("men_start", "int32", "men of the squads at the start and in reserve", "man"),
            ("men_lost", "int32", "men of the squads dead or wounded at the end", "man"),
            ("armour_start", "int32", "vehicles at the start and in reserve", "vehicle"),
            ("armour_lost", "int32", "vehicles destroyed", "vehicle"),
            ("territory", "int32", "sectors held at the end", "place"),
            ("disarmed", "int8", "vehicles at the end that can move but not fire (FC-11.4)", "vehicle"),
            ("crew_lost", "int16", "crew of vehicles lost", "man"),
            ("objectives", "int8", "objectives held at the end", "place"),
        )
    ),
    Field("fault", "name", "what a policy got wrong", names=FAULTS, empty=0),
    Field("fault_turn", "int16", "turn of the fault", "turn", empty=0),
    Field("fault_value", "int64", "value that was wrong", empty=-(2**63)),
)

EVENTS = (
    Field("turn", "", "turn"),
    Field("kind", "name", "what happened", names=EVENT_KINDS),
    Field("side", "name", "side that acts", names=("red", "blue"), empty=-1),
    Field("actor", "name", "unit that acts", names=UNIT_NAMES, empty=-1),
    Field("target", "name", "unit acted upon", names=UNIT_NAMES, empty=-1),
    Field("location", "int32", "cell of an arrival, an aim, a shell or a target, row * 400 + column", empty=-1),
    Field("terrain", "name", "terrain of that cell", names=TERRAINS, empty=-1),
    Field("weapon", "name", "weapon used", names=WEAPONS, empty=-1),
    Field("mode", "name", "mode of fire", names=MODES, empty=-1),
    Field("range_m", "int32", "distance to the target", "m", empty=-1),
    Field("facing", "name", "facing that a vehicle shows its shooter (FC-5.5)", names=FACINGS, empty=-1),
    Field("fire_dice", "int8", "pips of the roll for taking effect (FC-5.10)", "pip", empty=0),
    Field("dice", "int8", "pips of the die that decided; of a rout, d100 from 0", "pip", empty=-1),
    Field("value", "float64", "casualties before rounding, A of armour, C of a barrage", empty=-1, state="f8"),
    Field("result", "name", "what came of it", names=RESULTS, empty=-1),
    Field("losses", "int32", "men of squad or crew that the target lost", "man", empty=-1),
    Field("dead", "int8", "men dead, or crew lost", "man", empty=0),
    Field("wounded", "int8", "men wounded", "man", empty=0),
    Field("shells", "int8", "shells of a barrage, or of it in this cell", "shell", empty=0),
)

TABLES = Tables(games=GAMES, sides=SIDES, units=UNITS, places=PLACES, events=EVENTS)

# Room for four times the forces on a map four times as large.
MOST_UNITS = 800  # of a scenario, those to come included
MOST_OF_A_SIDE = 400
MOST_CELLS = int(WIDTH * WIDTH)
MOST_SECTORS = 400
MOST_PLACES = MOST_SECTORS + len(OBJECTIVES)

STATE = layout(
    ("turn", (), "turn that is being played, from 1"),
    ("n_units", (), "units of the scenario"),
    ("n_soviet", (), "of them, Soviet ones: they come first"),
    ("n_places", (), "sectors and objectives of the map"),
    ("fault", (), "what a policy got wrong, one of FAULTS"),
    ("fault_turn", (), "turn of the fault"),
    ("fault_value", (), "value that was wrong"),
    ("units", (MOST_UNITS,), "units of the scenario", UNITS),
    ("places", (MOST_PLACES,), "sectors of the map row by row (FC-11.1), then its objectives (FC-11.2)", PLACES),
    ("sides", (2,), "one row for each side: SOVIET, GERMAN", SIDES),
)
"""Everything that the next turn depends on, as one record: copying it copies the game."""

LINES_A_NUMBER = 30  # lines of sight that one number keeps, two bits each
MOST_POSTS = 136 * LINES_A_NUMBER  # cells that lines of sight are kept for at a time

NO_CELL = np.int64(-2)  # unlike any location, `NOWHERE` included
POSTS = (
    Field("cell", "", "cell of a unit when its post was looked up", empty=int(NO_CELL)),
    Field("post", "", "number that lines of sight from there are kept under"),
)
"""The post at which a unit is, that is where its lines of sight begin (`rules.sight.post_of`)."""

MARKS = (
    Field("unit", "", "number of the unit"),
    Field("row", "", "row of its cell"),
    Field("column", "", "column of its cell"),
    Field("is_squad", "", "1 for a squad"),
)
"""What is asked of an enemy for every unit of the other side (`rules.sight.list_marks`)."""

WORK = layout(
    ("occupant", (MOST_CELLS,), "unit in each cell, or NOWHERE (FC-1.1)"),
    ("post", (2, MOST_CELLS), "number that lines of sight from a cell are kept under, or NOWHERE (FC-5.9)"),
    ("n_posts", (), "numbers given so far"),
    ("here", (MOST_UNITS,), "the post that each unit is at", POSTS),
    ("lines", (MOST_POSTS, MOST_POSTS // LINES_A_NUMBER), "lines of sight between posts, as far as known"),
    ("spotter", (MOST_UNITS,), "unit that saw this one when it was last looked for"),
    ("clock", (), "number of changes of cell so far"),
    ("moved_at", (MOST_UNITS,), "the clock when a unit last took a cell"),
    ("hidden_at", (MOST_UNITS,), "the clock when a unit was last looked for in vain"),
    ("n_marks", (), "enemies of the side that declares fire that may be targets; of a view, those that are shown"),
    ("marks", (MOST_OF_A_SIDE,), "these enemies, ascending", MARKS),
    ("lead", (MOST_UNITS,), "shooter whose shot decides what a squad under fire suffers, or NOWHERE (FC-5.2)"),
    ("dead", (MOST_UNITS,), "men of a squad that die when the results of a phase apply"),
    ("wounded", (MOST_UNITS,), "men of a squad that are wounded likewise"),
    ("inflicts", (MOST_UNITS,), "men that this unit would wound in this phase, before any cap"),
    ("event", (MOST_UNITS,), "number of the event in which this unit acts in this phase, or negative"),
    ("fallen", (MOST_UNITS,), "1 for a unit that has just been wiped out or destroyed"),
    ("hit", (MOST_UNITS,), "unit that this one hit by fire this turn, or NOWHERE (FC-9.1)"),
    ("fought", (MOST_UNITS,), "unit that this one hit in melee this turn, or NOWHERE (FC-9.1)"),
    ("shaken", (MOST_UNITS,), "friendly units wiped out this turn next to this one (FC-9.1)"),
)
"""What lives only within a phase or a turn, or can be worked out anew: no part of the state."""

# In a turn a unit arrives, fires, rolls against rout and strikes once at most; a barrage strikes the cells of a block.
MOST_EVENTS = 4 * MOST_UNITS + 2 * 10

LOG = log_layout(MOST_EVENTS, EVENTS)

ORDER = MOST_OF_A_SIDE + 1
"""Numbers in ``order``: the units of a side and the end of the list."""

# Of a desk: state and work as far as the side is shown them (`rules.view`).
DESK = desk_layout(ORDER, LOG, ("state", STATE, (1,)), ("work", WORK, (1,)))


def empty_state(n_units: int, n_soviet: int, n_places: int) -> np.recarray:
    """States (1,) with every field at its empty value."""
    state = np.zeros(1, STATE).view(np.recarray)
    state.n_units = n_units
    state.n_soviet = n_soviet
    state.n_places = n_places
    for name, fields in (("units", UNITS), ("places", PLACES), ("sides", SIDES)):
        state[0][name][:] = records(fields, 1)[0]
    return state


def empty_work() -> np.recarray:
    """Work (1,) before the first game: nobody is anywhere, no line of sight is known."""
    work = np.zeros(1, WORK).view(np.recarray)
    for name in ("occupant", "post", "spotter", "hidden_at", "lead"):
        work[0][name][...] = NOWHERE
    work[0]["here"][:] = records(POSTS, 1)[0]
    return work

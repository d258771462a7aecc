"""State of a game of Brandubh: every field, its unit and its empty value."""

from sim.fields import COMMON_PLACES, PLACE_NAMES, UNIT_NAMES, Field, Tables, fault_fields, numbered, result_fields
from sim.frame import state_layout
from sim.log import log_layout
from sim.seat import desk_layout

NOWHERE = -1  # square of a piece that is captured, piece on an empty square, square beyond the edge
ATTACKERS, DEFENDERS = numbered(2)  # red and blue
KINDS = ("king", "defender", "attacker")
KING, DEFENDER, ATTACKER = numbered(KINDS)
OUTCOMES = ("attackers_win", "draw", "defenders_win")
END_REASONS = ("king_escaped", "king_captured", "no_move", "turn_limit", "failed")
KING_ESCAPED, KING_CAPTURED, NO_MOVE, TURN_LIMIT, FAILED = numbered(END_REASONS)
FAULTS = ("none", "bad_move", "too_many_events")
NO_FAULT, BAD_MOVE, TOO_MANY_EVENTS = numbered(FAULTS)
EVENT_KINDS = ("move", "lost")
MOVE, LOST = numbered(EVENT_KINDS)

TABLES = Tables(
    games=(
        *result_fields(OUTCOMES, END_REASONS, "turns left when it was won, that one too; positive for blue", "turn"),
        *(Field(f"{it}_territory", "int32", f"pieces of {it} at the end", "place", empty=-1) for it in ("red", "blue")),
        *fault_fields(FAULTS),
    ),
    sides=(
        Field("territory", "int32", "squares held: pieces on the board", "place"),
        Field("losses", "int16", "pieces lost so far", "unit"),
        Field("won", "int8", "turn in which it won", "turn", empty=0),
    ),
    units=(
        Field("side", "name", "side of the piece", names=("red", "blue")),
        Field("kind", "name", "what the piece is (BR-1.2)", names=KINDS),
        Field("square", "name", "square where it stands; null once it is captured", names=PLACE_NAMES, empty=NOWHERE),
    ),
    places=(*COMMON_PLACES, Field("piece", "name", "piece that stands there", names=UNIT_NAMES, empty=NOWHERE)),
    events=(
        Field("turn", "", "turn"),
        Field("kind", "name", "what happened: a piece moved, or was lost", names=EVENT_KINDS),
        Field("side", "name", "side that moved", names=("red", "blue")),
        Field("actor", "name", "piece that moved or was lost", names=UNIT_NAMES),
        Field("place", "name", "square that it moved to, or was lost on", names=PLACE_NAMES),
        Field("origin", "name", "square that it came from", names=PLACE_NAMES, empty=NOWHERE),
    ),
)
SQUARES, MOST_PIECES = 49, 24
STATE = state_layout(TABLES, MOST_PIECES, SQUARES)
LOG = log_layout(8, TABLES.events)  # a turn has two moves, each with three captures at the most
DESK = desk_layout(1, LOG)

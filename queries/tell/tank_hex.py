"""A game of Tank Hex in sentences."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from queries.draw.tank_hex import chart_of
from queries.tell import Chapter, Row, Section, Story, counted, listed

TITLES = {
    "preparation": "Preparation",
    "fire": "Direct fire",
    "movement": "Movement",
    "close_combat": "Close combat",
    "events": "Random events",
}
MODES = {
    "opportunity": "  Opportunity fire: ",
    "covering": "  Covering fire: ",
    "on_the_move": "  On the move: ",
    "short_halt": "  In a short halt: ",
}
RESULTS = {
    "none": "no effect",
    "suppressed": "suppressed",
    "fire_kill": "cannot fire any more",
    "mobility_kill": "cannot move any more",
    "destroyed": "destroyed",
}
BY_TABLE = {**RESULTS, "fire_kill": "fire-kill", "mobility_kill": "mobility-kill"}
FATES = {
    "no_sight": "no sight",
    "out_of_range": "out of range",
    "no_effect": "no effect below level 1",
    "not_rolled": "not rolled for",
}
CARDS = {
    "rush": "rush",
    "firepower": "firepower",
    "repair": "repair",
    "reactive_armour": "reactive armour",
    "rapid_loading": "rapid loading",
    "battery_155": "the 155 mm battery",
    "battery_122": "the 122 mm battery",
}
WEAPONS = {"155mm": "155 mm", "122mm": "122 mm"}
DIRECTIONS = ("E", "NE", "NW", "W", "SW", "SE")

Label = Callable[[int], str]


def tell(story: Story) -> tuple[list[Chapter], str]:
    """The chapters of a game, from the set-up on, and its outcome in a sentence."""
    chart = chart_of(story.board)

    def label(number: int) -> str:
        return chart.labels.label(*divmod(number, chart.columns))

    chapters = []
    for turn in sorted({row["turn"] for row in story.turns}):
        if turn > story.game["turns"]:
            break  # a side is destroyed: nothing more happens
        events = [event for event in story.events if event["turn"] == turn]
        sections = tuple(_sections(story, events, label))
        standing = tuple(_standing(story, turn)) if chapters else tuple(_set_up(story, turn, label))
        chapters.append(Chapter(turn, f"Turn {turn}" if chapters else "Set-up", sections, standing))
    return chapters, outcome(story)


def outcome(story: Story) -> str:
    """How the game ended, in a sentence."""
    game = story.game
    if game["end_reason"] == "failed":
        what = f"{game['fault'].replace('_', ' ')} (value {game['fault_value']})"
        return f"Failed in turn {game['fault_turn']}: {what}."
    if game["end_reason"] == "side_destroyed":
        when = f"a side is destroyed in turn {game['turns']}"
    else:
        when = f"after turn {game['turns']}"
    points = f"{game['red_points']} points of {story.sides['red']}, {game['blue_points']} of {story.sides['blue']}"
    if game["winner"] == "draw":
        return f"Draw: {points}, {when}."
    level = game["outcome"].partition("_")[2]
    return f"{level.capitalize()} victory of {story.sides[game['winner']]}: {points}, {when}."


def _sections(story: Story, events: list[Row], label: Label) -> Iterator[Section]:
    for phase, group in groupby(events, key=lambda event: event["phase"]):
        rows = list(group)
        # Who is left holds all objectives, in whichever phase the other side lost its last tank (TH-8.1).
        title = TITLES[phase] if any(row["kind"] != "objective" for row in rows) else "End"
        yield Section(title, tuple(_sentences(story, rows, label)))


def _sentences(story: Story, events: list[Row], label: Label) -> Iterator[str]:
    for (kind, *_), group in groupby(events, key=_together):
        rows = list(group)
        first = rows[0]
        if kind == "shots":
            yield from _declaration(rows)
        elif kind == "combat":
            yield f"In {label(first['target_hex'])}:"
            yield from (f"  {row['actor']} fires at {row['target']}: {_roll(row)}." for row in rows)
        elif kind == "battery":
            yield from _battery(story, rows, label)
        elif kind == "barrage":
            yield from (f"  {row['target']} comes under gun {row['gun']}'s fire: {_roll(row)}." for row in rows)
        elif kind == "move":
            yield _move(first, label)
        else:
            yield _other(story, first, label)


def _together(event: Row) -> tuple:
    """What consecutive events have in common that are told together."""
    kind = event["kind"]
    if kind in {"direct", *MODES}:
        return "shots", kind, event["declaration"]
    if kind == "close_combat":
        return "combat", event["target_hex"]
    if event["phase"] == "events" and kind in {"gun", "barrage"}:
        return "battery", event["side"]
    if kind == "barrage":
        return "barrage", event["seq"]
    return kind, event["seq"]


def _declaration(shots: Sequence[Row]) -> Iterator[str]:
    """All shots of a declaration: one in a sentence, several in a list unless nothing comes of any."""
    first = shots[0]
    mode = MODES.get(first["kind"], "")
    names = list(dict.fromkeys(shot["actor"] for shot in shots))
    verb = "fires" if len(names) == 1 else "fire"
    targets = listed(list(dict.fromkeys(shot["target"] for shot in shots)))
    declared = f"{mode}{listed(names)} {verb} at {targets}:"
    if len(shots) == 1 or {shot["fate"] for shot in shots} in ({"no_sight"}, {"out_of_range"}):
        yield f"{declared} {_roll(first)}."
        return
    yield declared
    indent = "    " if mode else "  "
    yield from (f"{indent}{shot['actor']}{_at(shot, first)}: {_roll(shot)}." for shot in shots)


def _at(shot: Row, first: Row) -> str:
    """The target of a second shot by rapid loading, where it is another."""
    return "" if shot["target"] == first["target"] else f" at {shot['target']}"


def _roll(shot: Row) -> str:
    """Level, dice and result of a shot or a shell, or why it was not rolled for."""
    if shot["fate"] != "rolled":
        return FATES[shot["fate"]]
    steps = counted(shot["distance"], "hex").replace("hexs", "hexes") if shot["weapon"] == "85mm" else ""
    card = " with firepower" if shot["card"] == "firepower" else ""
    level = f"level {shot['level']}{card}"
    dice = f"{shot['die_1']} + {shot['die_2']} = {shot['dice']}"
    return f"{steps}{', ' if steps else ''}{level}, {dice}, {_result(shot)}"


def _result(shot: Row) -> str:
    """The result with what corrected it: terrain, armour, reactive armour, damage that was there before."""
    table, result = shot["table_result"], shot["result"]
    parts = [BY_TABLE[table]] if table != result else []
    if shot["armour_die"] is not None and (result == "suppressed" or shot["braced"]):
        parts.append(f"armour die {shot['armour_die']}")
    elif table != result and not shot["braced"]:
        parts.append(f"saved by {shot['terrain'].replace('_', '-')} ground")
    if shot["braced"]:
        parts.append("reactive armour")
    if shot["losses"] and result != "destroyed":
        parts += [BY_TABLE[result], "damaged before: destroyed"]
    else:
        parts.append(RESULTS[result])
    return ", ".join(parts)


def _move(move: Row, label: Label) -> str:
    if not move["hexes"]:
        return f"{move['actor']} stays in {label(move['actor_hex'])}."
    verb = "marches" if move["marched"] else "moves"
    cost = f"{counted(move['hexes'], 'hex').replace('hexs', 'hexes')}, {move['spent']} MP"
    return f"{move['actor']} {verb} from {label(move['actor_hex'])} to {label(move['target_hex'])} ({cost})."


def _battery(story: Story, rows: Sequence[Row], label: Label) -> Iterator[str]:
    """The guns of a battery and what their shells do."""
    guns = [row for row in rows if row["kind"] == "gun"]
    aim = label(guns[0]["actor_hex"])
    yield f"{story.sides[guns[0]['side']]}'s {WEAPONS[guns[0]['weapon']]} battery fires on {aim}."
    for gun in guns:
        shells = [row for row in rows if row["kind"] == "barrage" and row["gun"] == gun["gun"]]
        hits = "".join(f"; {shell['target']}: {_roll(shell)}" for shell in shells)
        yield f"  Gun {gun['gun']} {_impact(gun, label)}{hits}."


def _impact(gun: Row, label: Label) -> str:
    if gun["fate"] == "did_not_arrive":
        return "does not arrive"
    if gun["direction"] is None:
        return f"lands in {label(gun['target_hex'])}"
    drift = f"drifts {gun['distance']} to the {DIRECTIONS[gun['direction'] - 1]}"
    return f"{drift}, off the map" if gun["fate"] == "off_the_map" else f"{drift}, to {label(gun['target_hex'])}"


def _other(story: Story, event: Row, label: Label) -> str:
    kind, side, card = event["kind"], story.sides[event["side"]], CARDS.get(event["card"] or "")
    if kind == "illegal_step":
        return f"  {event['actor']} may not make its next step."
    if kind == "crowded_out":
        return f"  {event['actor']} is destroyed in {label(event['target_hex'])}, which is full."
    if kind == "objective":
        return f"  {side} takes {event['place']}."
    if kind == "card_drawn":
        aim = "" if event["target_hex"] is None else f" and aims at {label(event['target_hex'])}"
        return f"{side} draws {card}{aim}."
    if kind == "cards_exchanged":
        return f"{side} exchanges a card for {card}."
    if event["card"] == "repair":
        return f"{event['actor']} is repaired."
    indent = "" if event["phase"] == "fire" else "  "
    gains = "at" if event["card"] == "rapid_loading" else "for"
    return f"{indent}{side} plays {card} {gains} {event['actor']}."


def _set_up(story: Story, turn: int, label: Label) -> Iterator[str]:
    for side, name in story.sides.items():
        tanks = [
            f"{row['unit']} in {label(row['hex'])}"
            for row in story.units
            if row["turn"] == turn and row["side"] == side and row["hex"] is not None
        ]
        yield f"{name}: {listed(tanks) if tanks else 'nothing'}."
    for place in story.territory:
        if place["turn"] == turn:
            yield f"{place['place']} ({label(place['hex'])}) is held by {story.sides[place['holder']]}."


def _standing(story: Story, turn: int) -> Iterator[str]:
    for row in story.turns:
        if row["turn"] != turn:
            continue
        side = row["side"]
        holds = [it["place"] for it in story.territory if it["turn"] == turn and it["holder"] == side]
        hurt = [
            f"{tank['unit']} {words}"
            for tank in story.units
            if tank["turn"] == turn and tank["side"] == side
            for words, is_so in (("cannot fire", tank["fire_kill"]), ("cannot move", tank["mobility_kill"]))
            if is_so and not tank["destroyed"]
        ]
        parts = [counted(row["tanks"], "tank"), *hurt, f"holds {listed(holds)}" if holds else "holds nothing"]
        yield f"{story.sides[side]}: {', '.join(parts)}; {counted(row['points'], 'point')}."

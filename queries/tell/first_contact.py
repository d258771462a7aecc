"""A game of First Contact in sentences: every loss one by one; moves and misses are summed up."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from queries.tell import Chapter, Row, Section, Story, counted, listed

WIDTH = 400  # cells are numbered row * 400 + column
SQUAD = "squad"
NUMBERED = re.compile(r"(?P<what>.+) (?P<number>\d+)")
WEAPONS = {
    "small_arms": "small arms",
    "machine_gun": "machine gun",
    "anti_tank": "anti-tank weapon",
    "gun": "gun",
}


def tell(story: Story) -> tuple[list[Chapter], str]:
    """The chapters of a game, from the set-up on, and its outcome in a sentence."""
    chapters = []
    before: dict[str, Row] = {}
    held: dict[str, str] = {}
    for turn in sorted({row["turn"] for row in story.turns}):
        if turn > story.game["turns"]:
            break  # a side has no able unit: nothing more happens
        units = {row["unit"]: row for row in story.units if row["turn"] == turn}
        holders = {row["place"]: row["holder"] for row in story.territory if row["turn"] == turn}
        events = [event for event in story.events if event["turn"] == turn]
        standing = list(_standing(story, turn, holders))
        if chapters:
            sections = (
                Section("Arrivals", tuple(_arrivals(story, events))),
                Section("Barrage", tuple(_barrages(story, events, before))),
                Section("Movement", tuple(_moves(story, before, units))),
                Section("Fire", tuple(_fire(story, events, units))),
                Section("Melee", tuple(_melee(events))),
                Section("Morale", tuple(_morale(story, before, units))),
                Section("Control", tuple(_control(story, held, holders))),
            )
            told = tuple(section for section in sections if section.lines)
            chapters.append(Chapter(turn, f"Turn {turn}", told, tuple(standing)))
        else:
            chapters.append(Chapter(turn, "Set-up", (), (*_set_up(story, units), *standing)))
        before, held = units, holders
    return chapters, outcome(story)


def outcome(story: Story) -> str:
    """How the game ended, in a sentence."""
    game = story.game
    if game["end_reason"] == "failed":
        what = f"{game['fault'].replace('_', ' ')} (value {game['fault_value']})"
        return f"Failed in turn {game['fault_turn']}: {what}."
    who, level = game["outcome"].split("_")
    when = f"at the end of turn {game['turns']}"
    objectives = f"{counted(game['blue_objectives'], 'objective')} in German hands {when}"
    if game["end_reason"] == "no_able_units":
        objectives = f"a side has no able unit {when}"
    losses = (
        f"{story.sides[side]} lost {counted(game[f'{side}_men_lost'], 'man').replace('mans', 'men')}"
        f" and {counted(game[f'{side}_armour_lost'], 'vehicle')}"
        for side in ("blue", "red")
    )
    return f"{who.capitalize()} {level} victory: {objectives}; {', '.join(losses)}."


def together(names: Iterable[str]) -> str:
    """Names of a kind told at once: 'G1 squads 1, 2 and 5, and G1 Tiger 3'."""
    kinds: dict[str, list[str]] = {}
    for name in names:
        found = NUMBERED.fullmatch(name)
        kinds.setdefault(found["what"] if found else name, []).extend([found["number"]] if found else [])
    parts = []
    for what, numbers in kinds.items():
        plural = "s" if len(numbers) > 1 and what[-1].isalpha() else ""
        parts.append(f"{what}{plural} {listed(numbers)}" if numbers else what)
    return ", ".join(parts)


def _cell(location: int) -> str:
    row, column = divmod(location, WIDTH)
    return f"row {row}, column {column}"


def _casualties(dead: int, wounded: int) -> str:
    parts = [f"{number} {what}" for number, what in ((dead, "dead"), (wounded, "wounded")) if number]
    return ", ".join(parts) or "nobody hurt"


# Phases


def _arrivals(story: Story, events: Sequence[Row]) -> Iterator[str]:
    for side, name in story.sides.items():
        came = [event["actor"] for event in events if event["kind"] == "arrival" and event["side"] == side]
        if came:
            yield f"{name}: {together(came)} {'comes' if len(came) == 1 else 'come'} on."


def _barrages(story: Story, events: Sequence[Row], before: Mapping[str, Row]) -> Iterator[str]:
    for event in events:
        if event["kind"] == "barrage":
            shells = counted(event["shells"], "shell")
            yield f"{story.sides[event['side']]} calls {shells} on {_cell(event['location'])} (die {event['dice']})."
        elif event["kind"] == "shell" and event["target"]:
            result = event["result"].replace("_", " ")
            if before[event["target"]]["kind"] == SQUAD:
                lost = _casualties(event["dead"] or 0, event["wounded"] or 0)
                result = f"{lost}; wiped out" if result == "wiped out" else lost
            else:
                result = f"C = {event['value']:.1f}, {result}"
            yield f"  {event['target']}: {counted(event['shells'], 'shell')}, {result}."


def _moves(story: Story, before: Mapping[str, Row], units: Mapping[str, Row]) -> Iterator[str]:
    """How many of each company moved, and how far; a retreat is a move."""
    for side, name in story.sides.items():
        companies: dict[str, dict[str, list[int]]] = {}
        for unit, row in units.items():
            was = before[unit]
            if row["side"] == side and row["moved"] and row["status"] == was["status"] == "on_map":
                down, right = (
                    abs(a - b)
                    for a, b in zip(divmod(row["location"], WIDTH), divmod(was["location"], WIDTH), strict=True)
                )
                arm = SQUAD if row["kind"] == SQUAD else "vehicle"
                companies.setdefault(unit.split()[0], {}).setdefault(arm, []).append(max(down, right))
        parts = [
            f"{company} "
            + ", ".join(f"{counted(len(far), arm)} {sum(far) / len(far):.0f}" for arm, far in arms.items())
            for company, arms in companies.items()
        ]
        if parts:
            yield f"{name}, by so many cells in the mean: {'; '.join(parts)}."


def _fire(story: Story, events: Sequence[Row], units: Mapping[str, Row]) -> Iterator[str]:
    """What each side's shots did, target by target."""
    fought_on = {event["target" if event["kind"] == "melee" else "actor"] for event in _blows(events)}
    for side, name in story.sides.items():
        shots = [event for event in events if event["kind"] == "shot" and event["side"] == side]
        if not shots:
            continue
        suppressing = sum(shot["mode"] == "suppress" for shot in shots)
        without = sum(shot["result"] == "no_effect" for shot in shots)
        how = f", {suppressing} for suppression" if suppressing else ""
        yield f"{name} fires {counted(len(shots), 'shot')}{how}; {without} without effect."
        for target in dict.fromkeys(shot["target"] for shot in shots if shot["result"] != "no_effect"):
            at_it = [shot for shot in shots if shot["target"] == target and shot["result"] != "no_effect"]
            if units[target]["kind"] == SQUAD:
                gone = units[target]["status"] == "gone" and target not in fought_on
                yield f"  {target}: {_struck(at_it)}{'; wiped out' if gone else ''}."
            else:
                yield from (f"  {target}: {_armour(shot)}." for shot in at_it)


def _blows(events: Sequence[Row]) -> list[Row]:
    """Melee, with the rolls against rout: what comes after the fire."""
    return [event for event in events if event["kind"] in ("melee", "rout")]


def _struck(shots: Sequence[Row]) -> str:
    """What a squad suffers from the shots that took effect: by whom, in which mode, with which die."""
    parts = []
    for shot in shots:
        if shot["value"] is not None:
            mode = "suppresses with" if shot["mode"] == "suppress" else "fires"
            lost = _casualties(shot["dead"] or 0, shot["wounded"] or 0)
            parts.append(f"{shot['actor']} {mode} {WEAPONS[shot['weapon']]}, die {shot['dice']}: {lost}")
    others = len(shots) - len(parts)
    also = f" ({counted(others, 'other')} took effect)" if others else ""
    return f"{'; '.join(parts)}{also}"


def _armour(shot: Row) -> str:
    """A shot at a vehicle that took effect."""
    struck = f"{shot['actor']} strikes the {shot['facing']} at {shot['range_m']} m, die {shot['dice']}"
    lost = f", {shot['losses']} of the crew lost" if shot["losses"] else ""
    return f"{struck}: A = {shot['value']:.2f}, {shot['result']}{lost}"


def _melee(events: Sequence[Row]) -> Iterator[str]:
    for event in _blows(events):
        if event["kind"] == "rout":
            fate = {"stood": "stands", "routed": "runs", "wiped_out": "cannot run and is wiped out"}[event["result"]]
            yield f"{event['actor']} rolls {event['dice']:02d} and {fate}."
        else:
            lost = _casualties(event["dead"] or 0, event["wounded"] or 0)
            yield f"{event['actor']} strikes {event['target']}, die {event['dice']}: {lost}."


def _morale(story: Story, before: Mapping[str, Row], units: Mapping[str, Row]) -> Iterator[str]:
    for side, name in story.sides.items():
        changed: dict[str, list[str]] = {}
        for unit, row in units.items():
            if row["side"] == side and row["status"] == "on_map" and row["morale"] != before[unit]["morale"]:
                changed.setdefault(row["morale"], []).append(unit)
        for morale in ("high", "normal", "low", "broken"):
            if morale in changed:
                yield f"{name}, now {morale}: {together(changed[morale])}."


def _control(story: Story, held: Mapping[str, str], holders: Mapping[str, str]) -> Iterator[str]:
    for side, name in story.sides.items():
        won = [place.replace("_", " ") for place, holder in holders.items() if holder == side != held[place]]
        if won:
            yield f"{name} takes {listed(won)}."


# How things stand


def _set_up(story: Story, units: Mapping[str, Row]) -> Iterator[str]:
    for side, name in story.sides.items():
        for status, words in (("on_map", "on the map"), ("waiting", "to come")):
            there = [unit for unit, row in units.items() if row["side"] == side and row["status"] == status]
            if there:
                yield f"{name}, {words}: {_companies(there, units)}."


def _companies(names: Sequence[str], units: Mapping[str, Row]) -> str:
    """'G1 with 10 squads and 15 vehicles'."""
    counts: dict[str, dict[str, int]] = {}
    for name in names:
        arms = counts.setdefault(name.split()[0], {})
        arm = SQUAD if units[name]["kind"] == SQUAD else "vehicle"
        arms[arm] = arms.get(arm, 0) + 1
    return ", ".join(
        f"{company} with {listed([counted(number, arm) for arm, number in arms.items()])}"
        for company, arms in counts.items()
    )


def _standing(story: Story, turn: int, holders: Mapping[str, str]) -> Iterator[str]:
    for row in story.turns:
        if row["turn"] != turn:
            continue
        goals = [
            place.replace("_", " ")
            for place, holder in holders.items()
            if holder == row["side"] and not re.fullmatch(r"[A-Z]\d+", place)
        ]
        unable = "".join(
            f", {row[key]} of them {words}"
            for key, words in (("disarmed", "cannot fire"), ("immobile", "cannot move"))
            if row[key]
        )
        yield (
            f"{story.sides[row['side']]}: {row['men_able']} men ({row['dead']} dead, {row['wounded']} wounded),"
            f" {counted(row['armour_able'], 'vehicle')}{unable} ({row['armour_lost']} lost),"
            f" {row['ammunition']} of ammunition; {counted(row['territory'], 'sector')}"
            f"{', ' if goals else ''}{listed(goals) if goals else ''}."
        )

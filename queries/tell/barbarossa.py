"""A game of Barbarossa Solitaire in sentences."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from queries.tell import Chapter, Row, Section, Story, counted, listed

SEASONS = {"W": "Winter", "S": "Summer", "A": "Autumn"}

# The kinds of events that open a phase; all others belong to the phase in which they happen.
OPENS = {
    "move": "Movement",
    "assault": "Attacks",
    "attack": "Attacks",
    "reinforcement": "Reinforcements",
    "soviet_attack": "Soviet attacks",
}
ATTACK_RESULTS = {
    ("repulsed", False): "repulsed",
    ("taken_at_a_loss", False): "nobody is left to enter",
    ("taken_at_a_loss", True): "taken at a loss",
    ("taken", True): "taken",
}
SOVIET_RESULTS = {
    "nothing": "beaten off",
    "retreat_or_loss": "retreat or lose a unit",
    "loss": "a unit is lost",
    "garrison_removed": "the garrison is removed",
}


def tell(story: Story) -> tuple[list[Chapter], str]:
    """The chapters of a game, from the set-up on, and its outcome in a sentence."""
    chapters = []
    held: set[str] = set()
    returning: set[str] = set()
    for turn in sorted({row["turn"] for row in story.turns}):
        if chapters and story.game["end_reason"] == "all_sources_taken" and turn > story.game["turns"]:
            break  # decided: nothing more happens
        events = [event for event in story.events if event["turn"] == turn]
        holds = {row["place"] for row in story.territory if row["turn"] == turn and row["holder"] == "blue"}
        sections = tuple(_sections(events, _fates(story, turn), returning))
        standing = _standing(story, turn, holds, held) if chapters else _set_up(story, turn, holds)
        title = turn_title(story.turn_names, turn) if chapters else "Set-up"
        chapters.append(Chapter(turn, title, sections, standing))
        held = holds
    return chapters, outcome(story)


def turn_title(turn_names: Sequence[str], turn: int) -> str:
    """'Summer 1941 (S41)' for a turn's number."""
    name = turn_names[turn - 1]
    return f"{SEASONS[name[0]]} 19{name[1:]} ({name})"


def outcome(story: Story) -> str:
    """How the game ended, in a sentence."""
    game = story.game
    if game["end_reason"] == "failed":
        when = turn_title(story.turn_names, game["fault_turn"])
        fault = game["fault"].replace("_", " ")
        return f"Failed in {when}: {fault} by the policy of {story.sides['blue']} (value {game['fault_value']})."
    level = game["outcome"].replace("soviet", "Soviet").replace("axis", "Axis").replace("_", " ")
    regions = counted(game["blue_territory"], "Axis region")
    result = "Draw" if level == "draw" else f"{level} victory"
    when = turn_title(story.turn_names, game["turns"])
    if game["end_reason"] == "all_sources_taken":
        return f"{result}: the last Soviet supply source was taken in {when}; {regions}."
    return f"{result}: {regions} at the end of {when}."


def _sections(events: list[Row], fates: dict[str, str], returning: set[str]) -> Iterator[Section]:
    """The phases of a turn. ``returning`` are the units lost so far; it grows here."""
    titles = []
    title = "Movement"
    for event in events:
        title = OPENS.get(event["kind"], title)
        titles.append(title)
    for title, group in groupby(zip(titles, events, strict=True), key=lambda pair: pair[0]):
        yield Section(title, tuple(_sentences([event for _, event in group], fates, returning)))


def _sentences(events: list[Row], fates: dict[str, str], returning: set[str]) -> Iterator[str]:
    assaults: list[Row] = []
    for (kind, origin, place), group in groupby(events, key=lambda event: _together(event)):
        rows = list(group)
        names = [row["actor"] for row in rows if row["actor"]]
        if kind == "move":
            yield f"{listed(names)} {_plural(names, 'moves', 'move')} from {origin} to {place}."
        elif kind == "assault":
            assaults.extend(rows)
        elif kind == "attack":
            yield _attack(rows[0], assaults)
            assaults = []
        elif kind == "isolated":
            regions = [row["place"] for row in rows]
            yield f"  {listed(regions)}, cut off, {_plural(regions, 'turns', 'turn')} Axis."
        elif kind == "vacated":
            regions = [row["place"] for row in rows]
            yield f"  {listed(regions)}, left empty at the front, {_plural(regions, 'turns', 'turn')} Soviet."
        elif kind == "reinforcement":
            for name in names:
                yield f"{name} comes {'back ' if name in returning else ''}to {place}."
        elif kind == "soviet_attack":
            yield _soviet_attack(rows[0])
        elif kind == "retreat":
            yield f"  {listed(names)} {_plural(names, 'retreats', 'retreat')} from {origin} to {place}."
        elif kind == "lost":
            returning.update(names)
            for name in names:
                yield f"  {name} is lost in {place}{fates.get(name, '')}."
        elif kind == "left_the_game":
            yield f"  {listed(names)} {_plural(names, 'leaves', 'leave')} the game."


def _together(event: Row) -> tuple:
    """What consecutive events have in common that are told in one sentence; an attack is told alone."""
    kind = event["kind"]
    if kind in {"move", "retreat"}:
        return kind, event["origin"], event["place"]
    if kind in {"reinforcement", "lost"}:
        return kind, None, event["place"]
    if kind in {"attack", "soviet_attack"}:
        return kind, None, event["seq"]
    return kind, None, None


def _attack(attack: Row, assaults: list[Row]) -> str:
    ordered = sorted(assaults, key=lambda row: row["origin"])
    groups = [
        f"{listed([row['actor'] for row in rows])} from {origin}"
        for origin, group in groupby(ordered, key=lambda row: row["origin"])
        if (rows := list(group))
    ]
    verb = "attacks" if len(assaults) == 1 else "attack"
    roll = attack["dice"] + attack["modifier"]
    result = ATTACK_RESULTS[attack["result"], bool(attack["captured"])]
    die = f"die {attack['dice']} {attack['modifier']:+d} = {roll}" if attack["modifier"] else f"die {roll}"
    return f"{listed(groups)} {verb} {attack['place']}: {die}, {result}."


def _soviet_attack(attack: Row) -> str:
    stack = counted(attack["units"], "unit") if attack["units"] else "a garrison"
    die = f"die {attack['dice']}, " if attack["dice"] else ""
    lost_it = f"; {attack['place']} turns Soviet" if attack["captured"] else ""
    return f"On {attack['place']} ({stack}): {die}{SOVIET_RESULTS[attack['result']]}{lost_it}."


def _fates(story: Story, turn: int) -> dict[str, str]:
    """What becomes of the units that are off the map after a turn, as the end of a sentence."""
    fates = {}
    for row in story.units:
        if row["turn"] != turn or row["status"] == "on_map":
            continue
        due = row["due"]
        if row["status"] == "gone":
            fates[row["unit"]] = ", for good"
        elif due is not None and due <= len(story.turn_names):
            fates[row["unit"]] = f", due back in {story.turn_names[due - 1]}"
        else:
            fates[row["unit"]] = ", too late to come back"
    return fates


def _set_up(story: Story, turn: int, holds: set[str]) -> tuple[str, ...]:
    stacks: dict[str, list[str]] = {}
    for row in story.units:
        if row["turn"] == turn and row["status"] == "on_map":
            stacks.setdefault(row["region"], []).append(row["unit"])
    waiting = [f"{row['unit']} ({story.turn_names[row['due'] - 1]})" for row in story.units
               if row["turn"] == turn and row["status"] == "waiting"]  # fmt: skip
    lines = [f"{region}: {listed(names)}." for region, names in stacks.items()]
    garrisons = sorted(holds - set(stacks))
    if garrisons:
        lines.append(f"Garrisons: {listed(garrisons)}.")
    if waiting:
        lines.append(f"To come: {listed(waiting)}.")
    return (*lines, f"{counted(len(holds), 'Axis region')}.")


def _standing(story: Story, turn: int, holds: set[str], held: set[str]) -> tuple[str, ...]:
    axis = next(row for row in story.turns if row["turn"] == turn and row["side"] == "blue")
    changes = [
        f"{verb} {listed(sorted(regions))}"
        for verb, regions in (("won", holds - held), ("lost", held - holds))
        if regions
    ]
    return (
        f"{counted(len(holds), 'Axis region')}{': ' if changes else ''}{'; '.join(changes)}.",
        f"{counted(axis['on_map'], 'unit')} on the map, {axis['waiting']} waiting, {axis['gone']} gone.",
    )


def _plural(names: Sequence[str], one: str, more: str) -> str:
    return one if len(names) == 1 else more

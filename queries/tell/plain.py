"""A game of any rulebook, event by event: for rulebooks without a teller of their own."""

from collections.abc import Iterator
from itertools import groupby

from queries.tell import Chapter, Row, Section, Story

KEYS = {"cell", "replication", "turn", "seq", "unit", "place", "side", "origin", "kind", "actor", "target"}


def tell(story: Story) -> tuple[list[Chapter], str]:
    """The chapters of a game, from the set-up on, and its outcome in a sentence."""
    chapters = []
    names = dict(enumerate(story.turn_names, 1))
    for turn in sorted({row["turn"] for row in story.turns}):
        if chapters and turn > story.game["turns"]:
            break  # the game is over: nothing happens any more
        title = names.get(turn, str(turn)) if chapters else "Set-up"
        events = [event for event in story.events if event["turn"] == turn]
        standing = [f"{story.sides[row['side']]}: {_values(row)}" for row in story.turns if row["turn"] == turn]
        chapters.append(
            Chapter(turn, f"Turn {title}" if title.isdecimal() else title, (*_sections(story, events),), (*standing,))
        )
    return chapters, _outcome(story)


def _sections(story: Story, events: list[Row]) -> Iterator[Section]:
    for side, group in groupby(events, key=lambda event: event["side"]):
        yield Section(story.sides[side] if side else "All", tuple(map(_line, group)))


def _line(event: Row) -> str:
    kind = event["kind"].replace("_", " ")
    who = " on ".join(event[role] for role in ("actor", "target") if event.get(role))
    where = f" at {event['place']}" if event.get("place") else ""
    if where and event.get("origin"):
        where = f" from {event['origin']} to {event['place']}"
    values = _values(event)
    return f"{kind}{': ' if who else ''}{who}{where}{'; ' if values else ''}{values}"


def _values(row: Row) -> str:
    said = {key: value for key, value in row.items() if key not in KEYS and value is not None}
    return ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in said.items())


def _outcome(story: Story) -> str:
    game = story.game
    if game["end_reason"] == "failed":
        return f"Failed: {_values(game)}."
    level, reason = (game[key].replace("_", " ") for key in ("outcome", "end_reason"))
    winner = "a draw" if game["winner"] == "draw" else f"won by {story.sides[game['winner']]}"
    return f"{level[:1].upper()}{level[1:]}, {winner}: {reason}."

"""What holds of every recorded game of First Contact, whoever plays."""

from typing import Any

import numpy as np

import sim.first_contact.state as st
from sim.game import Names, Record


def forces_are_conserved(setup: Any, names: Names, record: Record) -> None:
    """Men are able, wounded or dead; who is gone stays so; nobody changes side or kind."""
    units, start = record.units, setup.state[0].units[: len(names.units)]
    for field in ("side", "kind"):
        assert (units[field] == start[field]).all()
    assert (units["men"] + units["wounded"] + units["dead"] == start["men"] + start["wounded"] + start["dead"]).all()
    for field in ("men", "wounded", "dead", "ammunition"):
        assert (units[field] >= 0).all()
    assert (units["ammunition"] <= start["issue"]).all()
    gone = units["status"] == st.GONE
    assert (gone == (units["men"] == 0)).all()
    assert (gone[:, 1:] >= gone[:, :-1]).all()
    for field in ("dead", "wounded", "cannot_fire", "cannot_move"):
        assert (np.diff(units[field], axis=1) >= 0).all()
    assert not (units["cannot_fire"] & units["cannot_move"] & ~gone).any()


def reserves_come_in_their_turns(setup: Any, names: Names, record: Record) -> None:
    """FC-2.7: waiting until the turn in which they arrive, and nowhere on the map till then."""
    first = int(setup.state[0].turn)
    waiting = record.units["status"] == st.WAITING
    arrives = setup.state[0].units["arrives"][: len(names.units)]
    for entry in range(record.units.shape[1]):
        done = first + entry - 1
        assert (~waiting[:, entry] | (arrives > 0)).all()
        assert waiting[:, entry][:, arrives > done].all()
    assert (record.units["location"][waiting] == st.NOWHERE).all()


def events_name_their_terrain(setup: Any, names: Names, record: Record) -> None:
    """FC-6.8: every event in a cell has that cell's terrain."""
    for game, count in enumerate(record.event_count):
        events = record.events[game, :count]
        assert (events["terrain"] == setup.board[0].terrain[events["location"]]).all()


def one_unit_to_a_cell(setup: Any, names: Names, record: Record) -> None:
    """FC-1.1, FC-4.3 at every recorded turn: cells of the map, open to the unit, each with one unit at most."""
    board, rules = setup.board[0], setup.rules[0]
    units = record.units
    on_map = units["status"] == st.ON_MAP
    terrain = board.terrain[units["location"][on_map]]
    assert (terrain >= 0).all()
    on_tracks = (units["kind"][on_map] != st.SQUAD).astype(int)
    assert (rules.step_cost[on_tracks, terrain] >= 0).all()
    for game, entry in np.ndindex(units.shape[:2]):
        cells = units["location"][game, entry][on_map[game, entry]]
        assert len(np.unique(cells)) == len(cells)
    in_trench = on_map & (board.terrain[units["location"]] == st.TRENCH)
    assert (units["in_trench"] == in_trench).all()
    barn = on_map & (units["entered"] > 0)
    assert (board.terrain[units["location"][barn]] == st.BARN).all()


def sides_are_the_sums_of_their_units(setup: Any, names: Names, record: Record) -> None:
    units, sides = record.units, record.sides
    squads, gone = units["kind"] == st.SQUAD, units["status"] == st.GONE
    for side in (st.SOVIET, st.GERMAN):
        own = units["side"] == side
        total = sides[:, :, side]
        for name, values in (
            ("men_able", units["men"] * squads),
            ("dead", units["dead"] * squads),
            ("wounded", units["wounded"] * squads),
            ("crew_lost", units["dead"] * ~squads),
            ("ammunition", units["ammunition"] * ~gone),
            ("waiting", units["status"] == st.WAITING),
            ("armour_lost", ~squads & gone),
            ("armour_able", ~squads & ~gone),
            ("disarmed", units["cannot_fire"] * ~gone),
            ("immobile", units["cannot_move"] * ~gone),
            *((f"{kind}_able", (units["kind"] == n) & ~gone) for n, kind in enumerate(st.KINDS) if n != st.SQUAD),
        ):
            assert (total[name] == (values * own).sum(2)).all(), name
        held = record.places["holder"] == side
        first_objective = setup.board[0].first_objective
        assert (total["territory"] == held[:, :, :first_objective].sum(2)).all()
        assert (total["objectives"] == held[:, :, first_objective:].sum(2)).all()


def places_are_held_by_who_is_there(setup: Any, names: Names, record: Record) -> None:
    """FC-11.1, FC-11.2: at the end of a turn a place with able units of one side alone is its own; else unchanged."""
    board, units = setup.board[0], record.units
    first_objective, n_places = int(board.first_objective), len(names.places)
    able = units["status"] == st.ON_MAP
    for game in range(len(units)):
        over = int(record.games[game]["turns"]) - int(setup.state[0].turn) + 1
        for entry in range(1, over + 1):
            there = np.zeros((n_places, 2), bool)
            rows = units[game, entry][able[game, entry]]
            for of_place in (board.sector, board.objective):
                places = of_place[rows["location"]]
                there[places[places >= 0], rows["side"][places >= 0]] = True
            before, after = record.places["holder"][game, entry - 1 : entry + 1]
            alone = there[:, 0] != there[:, 1]
            assert (after == np.where(alone, there[:, 1], before)).all()
    assert n_places == first_objective + 3


def losses_are_those_of_the_events(setup: Any, names: Names, record: Record) -> None:
    """Every dead and wounded man and every vehicle lost stands with one event."""
    for game in range(len(record.games)):
        events = record.events[game, : record.event_count[game]]
        before, after = record.units[game, 0], record.units[game, -1]
        lost = {name: np.zeros(len(after), np.int64) for name in ("dead", "wounded")}
        suffers = np.where(events["kind"] == st.ROUT, events["actor"], events["target"])
        for name, counted in lost.items():
            np.add.at(counted, suffers[suffers >= 0], events[name][suffers >= 0])
            assert (counted == after[name] - before[name]).all()
        destroyed = events["target"][events["result"] == st.DESTROYED]
        assert len(np.unique(destroyed)) == len(destroyed)
        gone = (after["status"] == st.GONE) & (before["status"] != st.GONE) & (after["kind"] != st.SQUAD)
        assert (np.sort(destroyed) == np.flatnonzero(gone)).all()
        known = events["losses"] >= 0
        assert (events["losses"][known] == (events["dead"] + events["wounded"])[known]).all()


def shots_are_paid_for(setup: Any, names: Names, record: Record) -> None:
    """FC-5.1, FC-8.2: ammunition goes down by what was fired, and up by 1 in a trench."""
    first = int(setup.state[0].turn)
    rules, start = setup.rules[0], setup.state[0].units[: len(names.units)]
    for game in range(len(record.games)):
        events = record.events[game, : record.event_count[game]]
        shots = events[events["kind"] == st.SHOT]
        for entry in range(1, record.units.shape[1]):
            before, after = record.units[game, entry - 1 : entry + 1]
            now = shots[shots["turn"] == first + entry - 1]
            assert len(np.unique(now["actor"])) == len(now)
            mode = np.zeros(len(after), np.int64)
            mode[now["actor"]] = now["mode"]
            if len(now):
                assert (after["fired"] == mode).all()
            cost = rules.ammunition[mode]
            high = (before["morale"] == st.HIGH) & (mode == st.SUPPRESS)
            cost = cost + high * rules.suppression[st.HIGH]
            left = before["ammunition"] - cost
            assert ((after["ammunition"] == left) | (after["ammunition"] == np.minimum(left + 1, start["issue"]))).all()
            assert (after["in_trench"][after["ammunition"] > left] == 1).all()


def results_follow_from_the_last_turn(setup: Any, names: Names, record: Record) -> None:
    rules = setup.rules[0]
    for game, result in enumerate(record.games):
        red, blue = record.sides[game, -1]
        for side, last in (("red", red), ("blue", blue)):
            for name in ("armour_lost", "territory", "disarmed", "crew_lost", "objectives"):
                assert result[f"{side}_{name}"] == last[name]
            assert result[f"{side}_men_lost"] == last["dead"] + last["wounded"]
        turns = record.sides[game]["objectives"][1 : int(result["turns"]) - int(setup.state[0].turn) + 2]
        before = record.sides[game, 0]["objective_turns"]
        margin = (before + turns.sum(0))[st.GERMAN] - (before + turns.sum(0))[st.SOVIET]
        assert result["margin"] == margin
        if result["end_reason"] == st.LAST_TURN:
            assert result["turns"] == rules.n_turns
            assert result["outcome"] == rules.outcomes[blue["objectives"]]
        else:
            assert {int(red["beaten"]), int(blue["beaten"])} & {int(result["turns"])}
        assert result["winner"] == int(result["outcome"] >= st.GERMAN_MARGINAL)


CHECKS = (
    forces_are_conserved,
    reserves_come_in_their_turns,
    events_name_their_terrain,
    one_unit_to_a_cell,
    sides_are_the_sums_of_their_units,
    places_are_held_by_who_is_there,
    losses_are_those_of_the_events,
    shots_are_paid_for,
    results_follow_from_the_last_turn,
)

"""What holds of every recorded game of Barbarossa Solitaire, whoever plays."""

from typing import Any

import numpy as np

import sim.barbarossa.state as st
from sim.game import Names, Record
from tests.naive_supply import cut_off


def units_are_conserved(setup: Any, names: Names, record: Record) -> None:
    """Every unit is on the map, waiting or gone, at every recorded turn, and never another nation's."""
    units = record.units
    start = setup.state[0].units[: len(names.units)]
    assert (units["nation"] == start["nation"]).all()
    on_map, waiting, gone = (units["status"] == status for status in (st.ON_MAP, st.WAITING, st.GONE))
    assert (on_map ^ waiting ^ gone).all()
    assert (on_map == (units["region"] >= 0)).all()
    assert (waiting == (units["due"] > 0)).all()
    assert (units["region"] < len(names.places)).all()
    assert ((units["rank"] >= 0) == waiting).all()
    # Who is gone stays so.
    assert (gone[:, 1:] >= gone[:, :-1]).all()
    axis = record.sides[:, :, st.AXIS]
    for name, count in (("on_map", on_map), ("waiting", waiting), ("gone", gone)):
        assert (axis[name] == count.sum(2)).all()


def regions_are_held(setup: Any, names: Names, record: Record) -> None:
    """BB-1.3 at every recorded turn: Axis is what has a unit or a garrison, never both; counts and fronts fit."""
    places, n_places = record.places, len(names.places)
    units = np.stack([(record.units["region"] == place).sum(2) for place in range(n_places)], axis=2)
    assert (places["units"] == units).all()
    held = (units > 0) | (places["garrison"] == 1)
    assert ((places["holder"] == st.AXIS) == held).all()
    assert not ((units > 0) & (places["garrison"] == 1)).any()
    soviet = ~held
    joined = setup.board[0].lines_between[:n_places, :n_places] == 1
    assert ((places["front"] == 1) == (held & ((soviet @ joined) > 0))).all()
    territory = record.sides["territory"]
    assert (territory[:, :, st.AXIS] == held.sum(2)).all()
    assert (territory.sum(2) == n_places).all()


def nations_keep_their_places(setup: Any, names: Names, record: Record) -> None:
    """BB-4.3, BB-4.4: nobody beyond his line or beside whom he may not be, and nobody who has left."""
    units, board = record.units, setup.board[0]
    on_map = units["status"] == st.ON_MAP
    rumanian, hungarian, italian = (
        on_map & (units["nation"] == nation) for nation in (st.RUMANIAN, st.HUNGARIAN, st.ITALIAN)
    )
    assert board.may_enter[st.RUMANIAN][units["region"][rumanian]].all()
    for place in range(len(names.places)):
        here = units["region"] == place
        assert not ((here & rumanian).any(2) & (here & hungarian).any(2)).any()
    first = int(setup.state[0].turn)
    autumn_1943 = names.turns.index("A43") + 1
    assert not italian[:, max(0, autumn_1943 - first + 1) :].any()
    for nation, capital in ((rumanian, "Bucharest"), (hungarian, "Budapest")):
        lost = record.places[:, :, names.places.index(capital)]["holder"] == st.SOVIET
        assert not (lost & nation.any(2)).any()


def nothing_is_cut_off(setup: Any, names: Names, record: Record) -> None:
    """BB-3.3 at every recorded turn, by a slow flood fill."""
    board, n_places = setup.board[0], len(names.places)
    sources = {place for place in range(n_places) if board.is_source[place]}
    links = [
        {int(other) for other in (*board.neighbours[place], *board.overseas[place]) if other != st.NOWHERE}
        for place in range(n_places)
    ]
    soviet = record.places["holder"] == st.SOVIET
    for position in {tuple(row) for row in soviet.reshape(-1, n_places).tolist()}:
        assert not cut_off({place for place in range(n_places) if position[place]}, sources, links)


def totals_are_those_of_the_events(setup: Any, names: Names, record: Record) -> None:
    """Losses, attacks and results add up, game by game."""
    for game in range(len(record.games)):
        events = record.events[game, : record.event_count[game]]
        sides, result = record.sides[game], record.games[game]
        assert (events["kind"] == st.LOST).sum() == result["axis_units_lost"] == sides[-1, st.AXIS]["losses"]
        assert sides[1:, st.AXIS]["lost"].sum() == result["axis_units_lost"]
        for side, kind in ((st.AXIS, st.ATTACK), (st.SOVIET, st.SOVIET_ATTACK)):
            assert sides[1:, side]["attacks"].sum() == (events["kind"] == kind).sum()
        attacks = events[events["kind"] == st.ATTACK]
        assert (events["kind"] == st.ASSAULT).sum() == attacks["units"].sum()
        assert (events["kind"] == st.ISOLATED).sum() == attacks["isolated"].sum()
        territory = sides[-1, st.AXIS]["territory"]
        assert (result["blue_territory"], result["red_territory"]) == (territory, len(names.places) - territory)
        least = setup.rules[0].levels
        assert result["outcome"] == sum(territory >= least[1:])
        assert result["winner"] == {0: 0, 1: 0, 2: 2, 3: 1, 4: 1}[int(result["outcome"])]
        assert result["margin"] == territory - least[st.DRAW]


def changes_are_told(setup: Any, names: Names, record: Record) -> None:
    """A unit comes, goes and moves, and a region changes hands, only where an event says so."""
    first = int(setup.state[0].turn)
    for game in range(len(record.games)):
        events = record.events[game, : record.event_count[game]]
        region = record.units[game, 0]["region"].copy()
        holder = record.places[game, 0]["holder"].copy()
        for entry in range(1, record.units.shape[1]):
            _follow(events[events["turn"] == first + entry - 1], region, holder)
            assert (region == record.units[game, entry]["region"]).all()
            assert (holder == record.places[game, entry]["holder"]).all()


def _follow(events: np.ndarray, region: np.ndarray, holder: np.ndarray) -> None:
    attackers: list[int] = []
    for event in events:
        kind, unit, place = int(event["kind"]), int(event["actor"]), int(event["place"])
        if kind in (st.MOVE, st.RETREAT, st.ASSAULT):
            assert region[unit] == event["origin"]
        if kind in (st.MOVE, st.RETREAT, st.REINFORCEMENT):
            assert holder[place] == st.AXIS
            region[unit] = place
        elif kind == st.ASSAULT:
            assert holder[place] == st.SOVIET
            attackers.append(unit)
        elif kind == st.ATTACK:
            assert len(attackers) == event["units"]
            if event["captured"]:
                # Those of them who are lost or leave are told of next.
                holder[place] = st.AXIS
                region[attackers] = place
            attackers = []
        elif kind in (st.LOST, st.LEFT_THE_GAME):
            region[unit] = st.NOWHERE
        elif kind == st.ISOLATED:
            holder[place] = st.AXIS
        elif kind == st.VACATED or (kind == st.SOVIET_ATTACK and event["captured"]):
            assert holder[place] == st.AXIS
            holder[place] = st.SOVIET


CHECKS = (
    units_are_conserved,
    regions_are_held,
    nations_keep_their_places,
    nothing_is_cut_off,
    totals_are_those_of_the_events,
    changes_are_told,
)

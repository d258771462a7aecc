"""What holds of every recorded game of Tank Hex, whoever plays."""

from typing import Any

import numpy as np

import sim.tank_hex.state as st
from sim.game import Names, Record

KINDS_OF_FIRE = np.arange(st.BARRAGE)
"""Kinds of direct fire: all before the shells."""


def tanks_are_conserved(setup: Any, names: Names, record: Record) -> None:
    """A tank is on the map or destroyed, stays destroyed, and has F or M but not both."""
    units = record.units
    start = setup.state[0].units[: len(names.units)]
    assert (units["side"] == start["side"]).all()
    assert (units["stabilised"] == start["stabilised"]).all()
    gone = units["destroyed"] == 1
    assert (gone == (units["hex"] == st.NOWHERE)).all()
    assert (gone[:, 1:] >= gone[:, :-1]).all()
    assert (units["hex"] < setup.board[0].hexes).all()
    assert not ((units["fire_kill"] == 1) & (units["mobility_kill"] == 1)).any()
    for side in range(2):
        mine = units["side"][0, 0] == side
        alive = ~gone[:, :, mine]
        able = alive & (units["fire_kill"] == 0)[:, :, mine] & (units["mobility_kill"] == 0)[:, :, mine]
        assert (record.sides["tanks"][:, :, side] == alive.sum(2)).all()
        assert (record.sides["armour_able"][:, :, side] == able.sum(2)).all()
        assert (record.sides["armour_lost"][:, :, side] == (~alive).sum(2)).all()


def hexes_hold_what_they_may(setup: Any, names: Names, record: Record) -> None:
    """TH-2.3, TH-6.1, TH-6.8 at every recorded turn: dry ground, at most 4 of a side, both sides only in combat."""
    units, board = record.units, setup.board[0]
    n = len(names.units)
    alive = units["destroyed"] == 0
    assert (board.terrain[units["hex"][alive]] != st.WATER).all()
    together = (units["hex"][:, :, :, None] == units["hex"][:, :, None, :]) & alive[:, :, :, None]
    same_side = units["side"][0, 0][:, None] == units["side"][0, 0][None, :]
    assert ((together & same_side).sum(3) <= setup.rules[0].stacking).all()
    in_combat = (together & ~same_side).any(3)
    assert ((units["in_combat"] == 1) == in_combat).all()
    assert together[:, :, range(n), range(n)].sum() == alive.sum()


def markers_and_moves_fit(setup: Any, names: Names, record: Record) -> None:
    """TH-2.2, TH-2.1, TH-6.1: who marches has moved; MP spent are at most those allowed; a tank that stays is there."""
    units = record.units
    assert (units["moved"] >= units["marched"]).all()
    assert (units["spent"] <= units["allowance"]).all()
    assert (units["allowance"] <= setup.rules[0].movement + setup.rules[0].rush_movement).all()
    assert ((units["allowance"] > 0) <= (units["moved"] == 1)).all()
    still = (units["moved"][:, 1:] == 0) & (units["destroyed"][:, 1:] == 0)
    assert (units["hex"][:, 1:][still] == units["hex"][:, :-1][still]).all()
    assert (units["hexes"][units["moved"] == 0] == 0).all()
    assert (units["was_suppressed"] >= units["suppressed"]).all()


def nobody_fires_or_is_fired_at_twice(setup: Any, names: Names, record: Record) -> None:
    """TH-2.2, TH-4.9: a declaration a turn for each shooter and each target; rapid loading's second shot apart."""
    for game in range(len(record.games)):
        events = record.events[game, : record.event_count[game]]
        shots = events[np.isin(events["kind"], KINDS_OF_FIRE) & (events["kind"] != st.CLOSE_COMBAT)]
        declared = np.stack([shots["turn"], shots["declaration"]], 1)
        for name in ("actor", "target"):
            pairs = {(*map(int, key), int(unit)) for key, unit in zip(declared, shots[name], strict=True)}
            assert len({(turn, unit) for turn, _, unit in pairs}) == len(pairs), name
        count: dict[tuple[int, int], int] = {}
        for shot in shots:
            count[int(shot["turn"]), int(shot["actor"])] = count.get((int(shot["turn"]), int(shot["actor"])), 0) + 1
        played = events[(events["kind"] == st.CARD_PLAYED) & (events["card"] == st.RAPID_LOADING)]
        twice = [key for key, shot in count.items() if shot > 1]
        assert all(shot <= 2 for shot in count.values())
        # At most one tank of a side fires twice, and only in the turn in which the side plays the card.
        keys = [(turn, int(record.units["side"][game, 0, unit])) for turn, unit in twice]
        assert len(set(keys)) == len(keys)
        assert set(keys) <= {(int(row["turn"]), int(row["side"])) for row in played}
        assert len(twice) == len(played)


def totals_are_those_of_the_events(setup: Any, names: Names, record: Record) -> None:
    """TH-9.1, TH-8.1: losses, objectives, points and the result add up, game by game."""
    rules, n_places = setup.rules[0], len(names.places)
    for game in range(len(record.games)):
        events, result = record.events[game, : record.event_count[game]], record.games[game]
        sides, last = record.sides[game], record.units[game, -1]
        owner = last["side"]
        lost = events[events["losses"] > 0]
        victims = np.where(lost["kind"] == st.CROWDED_OUT, lost["actor"], lost["target"])
        assert sorted(victims) == sorted(np.flatnonzero(last["destroyed"]).tolist())
        for side, name in enumerate(("red", "blue")):
            assert result[f"{name}_armour_lost"] == (owner[victims] == side).sum() == sides[-1, side]["armour_lost"]
            assert result[f"{name}_armour_start"] == (owner == side).sum()
            assert result[f"{name}_territory"] == sides[-1, side]["territory"]
            expected = rules.objective_points * sides[-1, side]["territory"]
            expected += rules.tank_points * sides[-1, 1 - side]["armour_lost"]
            assert result[f"{name}_points"] == sides[-1, side]["points"] == expected
            assert result[f"{name}_illegal"] == sides[-1, side]["illegal"]
        assert (sides["territory"].sum(1) == n_places).all()
        assert result["margin"] == result["blue_points"] - result["red_points"]
        level = int((abs(result["margin"]) >= rules.victory_levels).sum())
        assert result["outcome"] == st.DRAW + (level if result["margin"] > 0 else -level)
        assert result["winner"] == (2 if level == 0 else int(result["margin"] > 0))


def changes_are_told(setup: Any, names: Names, record: Record) -> None:
    """A tank moves or is destroyed, and an objective changes hands, only where an event says so."""
    for game in range(len(record.games)):
        events = record.events[game, : record.event_count[game]]
        place = record.units[game, 0]["hex"].copy()
        holder = record.places[game, 0]["holder"].copy()
        first = int(setup.state[0].turn)
        for entry in range(1, record.units.shape[1]):
            now = events[events["turn"] == first + entry - 1]
            for row in now:
                if row["kind"] == st.MOVE:
                    assert place[row["actor"]] == row["actor_hex"]
                    place[row["actor"]] = row["target_hex"]
                elif row["kind"] == st.OBJECTIVE:
                    assert holder[row["place"]] != row["side"]
                    holder[row["place"]] = row["side"]
            for row in now[now["losses"] > 0]:
                place[row["actor" if row["kind"] == st.CROWDED_OUT else "target"]] = st.NOWHERE
            assert (place == record.units[game, entry]["hex"]).all()
            assert (holder == record.places[game, entry]["holder"]).all()


def shots_follow_the_tables(setup: Any, names: Names, record: Record) -> None:
    """TH-4.1 to TH-4.8, TH-7.3: every recorded shot, once more from its own dice."""
    rules, board = setup.rules[0], setup.board[0]
    for game in range(len(record.games)):
        events = record.events[game, : record.event_count[game]]
        for row in events[np.isin(events["kind"], [*KINDS_OF_FIRE, st.BARRAGE]) & (events["fate"] == st.ROLLED)]:
            assert row["dice"] == row["die_1"] + row["die_2"]
            assert row["table_result"] == rules.results[row["weapon"], row["level"], row["dice"]]
            assert row["terrain"] == board.terrain[row["target_hex"]]
            result, least = row["table_result"], st.FIRE_KILL if row["weapon"] == st.GUN_85 else st.DESTROYED
            spared = rules.terrain_saves[row["terrain"], [row["die_1"], row["die_2"]]].any()
            spared = spared and row["kind"] != st.CLOSE_COMBAT
            assert (row["armour_die"] > 0) == (result >= least and not spared)
            if result >= least and (spared or row["armour_die"] <= rules.armour_saves[row["weapon"]]):
                result = st.SUPPRESSED
            assert row["result"] == result - (rules.reactive_armour if row["braced"] else 0)
            if row["kind"] == st.BARRAGE:
                continue
            a, b = row["actor_hex"], row["target_hex"]
            assert board.sight[a, b >> 6] >> (b & 63) & 1
            assert row["level_by_table"] == rules.level[row["distance"]]
            assert row["height"] == board.grade[b] - board.grade[a]


CHECKS = (
    tanks_are_conserved,
    hexes_hold_what_they_may,
    markers_and_moves_fit,
    nobody_fires_or_is_fired_at_twice,
    totals_are_those_of_the_events,
    changes_are_told,
    shots_follow_the_tables,
)

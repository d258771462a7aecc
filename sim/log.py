"""What a game writes down: events in the log of a turn, faults, and the state after each turn."""

import numpy as np

from sim.compiled import inner_njit
from sim.fields import Field, layout, records


def log_layout(most: int, events: tuple[Field, ...]) -> np.dtype:
    """Dtype of a log: what happened in a turn, as one record. It is emptied at the end of the turn (`write_turn`)."""
    return layout(
        ("room", (), "events that may be written in this turn, 0 if none are recorded"),
        ("count", (), "events written in this turn"),
        ("blank", (1,), "an event in which nothing is said", events),
        ("events", (most,), "events of this turn", events),
    )


def empty_log(log: np.dtype, events: tuple[Field, ...]) -> np.recarray:
    """Logs (1,) in which nothing can be written."""
    logs = np.zeros(1, log).view(np.recarray)
    logs[0].blank[:] = records(events, 1)
    return logs


@inner_njit
def begin_event(game, kind, side, actor, full):
    """Begins the next event of a turn: its number, or -1 if nothing is recorded.

    Where there is no room for it, the game ends with the fault ``full``.
    """
    log = game.log
    if log.room == 0:
        return -1
    number = log.count
    if number == log.room:
        fault(game, full, number)
        return -1
    log.count = number + 1
    log.events[number] = log.blank[0]
    event = log.events[number]
    event.turn = game.state.turn
    event.kind = kind
    event.side = side
    event.actor = actor
    return number


@inner_njit
def fault(game, kind, value):
    """Ends the game: a policy returned a value that cannot be, or a log is full."""
    state = game.state
    if state.fault == 0:
        state.fault = kind
        state.fault_turn = state.turn
        state.fault_value = value


@inner_njit
def write_turn(game, record, number, entry):
    """Writes the state after a turn and its events, as far as they are recorded.

    ``record`` is the `sim.game.Record` of a batch, ``number`` the game's place in it.
    """
    state = game.state
    if record.sides.shape[1] > 0:
        for side in range(2):
            record.sides[number, entry, side] = state.sides[side]
        for place in range(state.n_places):
            record.places[number, entry, place] = state.places[place]
    if record.units.shape[1] > 0:
        for unit in range(state.n_units):
            record.units[number, entry, unit] = state.units[unit]
    _write_events(game.log, record, number)


@inner_njit
def _write_events(log, record, number):
    """Writes the events of a turn behind those of the turns before, and makes room in the log for the next one."""
    written = record.event_count[number]
    for i in range(log.count):
        record.events[number, written + i] = log.events[i]
    written += log.count
    record.event_count[number] = written
    log.count = 0
    log.room = min(len(log.events), record.events.shape[1] - written)


@inner_njit
def write_fault(state, result, failed):
    """Writes the fault of a game into its result, with the end reason ``failed``; whether there is one."""
    result.fault = state.fault
    if state.fault == 0:
        return False
    result.end_reason = failed
    result.turns = state.fault_turn
    result.fault_turn = state.fault_turn
    result.fault_value = state.fault_value
    return True

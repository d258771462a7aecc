"""The log of a turn: a record with ``room``, ``count`` and ``events``, which a game writes its events into."""

from sim.compiled import inner_njit


@inner_njit
def write_events(log, record, number):
    """Writes the events of a turn behind those of the turns before, and makes room in the log for the next one.

    ``record`` is the `sim.game.Record` of a batch, ``number`` the game's place in it.
    """
    written = record.event_count[number]
    for i in range(log.count):
        record.events[number, written + i] = log.events[i]
    written += log.count
    record.event_count[number] = written
    log.count = 0
    log.room = min(len(log.events), record.events.shape[1] - written)

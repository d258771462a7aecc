"""Again or give up: what to do about a shard that was not published. Pure; the whole policy is one table."""

from enum import StrEnum


class Cause(StrEnum):
    """Why a shard was not published: whose fault it is."""

    LOST = "lost"
    """The game's or the machine's: its worker is gone, be it killed, crashed by a policy, out of memory, or ended
    because a game took too long."""
    MACHINE = "machine"
    """The machine's: it is gone with all of its workers, or no worker can start there."""
    INNOCENT = "innocent"
    """Played cell by cell, none of its games did any harm."""
    NAMED = "named"
    """The game's: it raised an error, or was found when the shard was played cell by cell."""
    ERROR = "error"
    """Our own code failed, or a policy cannot be had, and would again: there, if not everywhere."""
    DISK = "disk"
    """The archive cannot be written, nor could any other shard: from there, if not from everywhere."""
    CODE = "code"
    """The worker has other code than the plan was made with: somebody has edited it meanwhile."""


class Next(StrEnum):
    """What to do next."""

    AGAIN = "again"
    CELL_BY_CELL = "cell by cell"
    GIVE_UP = "give up"
    STOP = "stop"


MOST_LOSSES = 3
MOST_MACHINES = 5
"""Machines that a shard may lose: a game that takes all of a machine's memory takes the machine with it."""
MOST_GIVEN_UP = 20
MACHINES_AGREE = 2
"""Machines that have to fail a shard before it is taken for the shard's fault, if there are so many."""

# Cause and how often the shard's worker has been lost by now. One loss may be the machine's fault; with a second one
# it is worth the time to find out which game does it.
_TABLE = {
    (Cause.LOST, 1): Next.AGAIN,
    (Cause.LOST, 2): Next.CELL_BY_CELL,
    (Cause.LOST, MOST_LOSSES): Next.GIVE_UP,
    (Cause.INNOCENT, 2): Next.AGAIN,
}
_ALWAYS = {
    Cause.NAMED: Next.GIVE_UP,
    Cause.ERROR: Next.GIVE_UP,
    Cause.DISK: Next.STOP,
    Cause.CODE: Next.STOP,
}
_ELSEWHERE = (Cause.NAMED, Cause.ERROR, Cause.DISK)


def decide(
    cause: Cause, losses: int, machines: int = 0, by_cell: bool = False, failed: int = 1, untried: int = 0
) -> Next:
    """What to do about a shard, given why it failed this time and what it has cost so far.

    ``losses`` are workers that were lost while their machine stayed, ``machines`` those that went with all they had.
    Only the former speak against the shard. ``by_cell`` says how it was played this time. ``failed`` are machines that
    have failed it and are there, ``untried`` those that have not: one machine may be sick, two tell of the shard.
    """
    same = Next.CELL_BY_CELL if by_cell else Next.AGAIN
    if cause == Cause.MACHINE:
        return Next.GIVE_UP if machines >= MOST_MACHINES else same
    if cause in _ELSEWHERE and untried and failed < MACHINES_AGREE:
        return same
    return _ALWAYS.get(cause) or _TABLE.get((cause, min(losses, MOST_LOSSES)), Next.GIVE_UP)


def is_hopeless(given_up: int, published: int) -> bool:
    """Whether the fault is the experiment's: of many shards most were given up, and so would be the rest."""
    return given_up >= MOST_GIVEN_UP and given_up > published

"""Again or give up: what to do about a shard that was not published. Pure; the whole policy is one table."""

from enum import StrEnum


class Cause(StrEnum):
    """Why a shard was not published."""

    LOST = "lost"
    """Its worker is gone: killed, crashed by a policy, or ended because a game took too long."""
    INNOCENT = "innocent"
    """Played cell by cell, none of its games did any harm."""
    NAMED = "named"
    """Played cell by cell, one of its games did, and is known by now."""
    ERROR = "error"
    """Our own code failed, as it would again."""
    DISK = "disk"
    """The archive cannot be written, nor could any other shard."""
    CODE = "code"
    """The worker has other code than the plan was made with: somebody has edited it meanwhile."""


class Next(StrEnum):
    """What to do next."""

    AGAIN = "again"
    CELL_BY_CELL = "cell by cell"
    GIVE_UP = "give up"
    STOP = "stop"


MOST_LOSSES = 3

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


def decide(cause: Cause, losses: int) -> Next:
    """What to do about a shard, given why it failed this time and how many workers it has cost so far."""
    return _ALWAYS.get(cause) or _TABLE.get((cause, min(losses, MOST_LOSSES)), Next.GIVE_UP)

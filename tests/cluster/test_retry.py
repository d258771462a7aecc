"""Again or give up: the whole table."""

import pytest

from cluster.retry import Cause, Next, decide

TABLE = [
    # cause, workers lost by now, what follows
    (Cause.LOST, 1, Next.AGAIN),
    (Cause.LOST, 2, Next.CELL_BY_CELL),
    (Cause.LOST, 3, Next.GIVE_UP),
    (Cause.LOST, 4, Next.GIVE_UP),
    (Cause.INNOCENT, 2, Next.AGAIN),
    (Cause.INNOCENT, 3, Next.GIVE_UP),
    (Cause.NAMED, 2, Next.GIVE_UP),
    (Cause.ERROR, 0, Next.GIVE_UP),
    (Cause.ERROR, 2, Next.GIVE_UP),
    (Cause.DISK, 0, Next.STOP),
    (Cause.DISK, 2, Next.STOP),
    (Cause.CODE, 0, Next.STOP),
]


@pytest.mark.parametrize(("cause", "losses", "following"), TABLE)
def test_decide(cause: Cause, losses: int, following: Next) -> None:
    assert decide(cause, losses) == following


def test_every_cause_is_in_the_table() -> None:
    assert {cause for cause, _, _ in TABLE} == set(Cause)


def test_nothing_goes_on_for_ever() -> None:
    # The worst luck: every try loses its worker, every search finds nothing.
    losses, following, tries = 0, Next.AGAIN, 0
    while following in (Next.AGAIN, Next.CELL_BY_CELL):
        tries += 1
        cause = Cause.INNOCENT if following == Next.CELL_BY_CELL else Cause.LOST
        losses += cause == Cause.LOST
        following = decide(cause, losses)
    assert tries == 4

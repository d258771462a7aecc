"""Again or give up: the whole table."""

import pytest

from cluster.retry import MOST_GIVEN_UP, MOST_MACHINES, Cause, Next, decide, is_hopeless

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


MACHINES = [
    # workers and machines lost by now, played cell by cell, what follows
    (0, 1, False, Next.AGAIN),
    (0, 4, False, Next.AGAIN),
    (0, MOST_MACHINES, False, Next.GIVE_UP),
    (2, 1, True, Next.CELL_BY_CELL),
    (2, MOST_MACHINES, True, Next.GIVE_UP),
]


@pytest.mark.parametrize(("losses", "machines", "by_cell", "following"), MACHINES)
def test_a_machine_that_is_lost_is_not_the_shards_fault(losses, machines, by_cell, following) -> None:
    assert decide(Cause.MACHINE, losses, machines, by_cell) == following


ELSEWHERE = [
    # cause, machines that failed it, those that have not tried, played cell by cell, what follows
    (Cause.NAMED, 1, 0, False, Next.GIVE_UP),
    (Cause.NAMED, 1, 1, False, Next.AGAIN),
    (Cause.NAMED, 2, 5, False, Next.GIVE_UP),
    (Cause.NAMED, 1, 1, True, Next.CELL_BY_CELL),
    (Cause.ERROR, 1, 3, False, Next.AGAIN),
    (Cause.ERROR, 1, 3, True, Next.CELL_BY_CELL),
    (Cause.ERROR, 2, 3, False, Next.GIVE_UP),
    (Cause.DISK, 1, 0, False, Next.STOP),
    (Cause.DISK, 1, 1, False, Next.AGAIN),
    (Cause.DISK, 2, 1, False, Next.STOP),
    (Cause.CODE, 1, 3, False, Next.STOP),
]


@pytest.mark.parametrize(("cause", "failed", "untried", "by_cell", "following"), ELSEWHERE)
def test_two_machines_have_to_agree_if_there_are_two(cause, failed, untried, by_cell, following) -> None:
    assert decide(cause, 2 * by_cell, by_cell=by_cell, failed=failed, untried=untried) == following


@pytest.mark.parametrize("untried", [1, 5])
def test_workers_that_are_lost_are_counted_wherever_they_were(untried: int) -> None:
    for cause, losses, following in TABLE:
        if cause in (Cause.LOST, Cause.INNOCENT):
            assert decide(cause, losses, failed=1, untried=untried) == following


def test_machines_that_were_lost_do_not_count_against_a_shard() -> None:
    for cause, losses, following in TABLE:
        assert decide(cause, losses, machines=MOST_MACHINES - 1) == following


def test_every_cause_is_in_a_table() -> None:
    assert {cause for cause, _, _ in TABLE} | {Cause.MACHINE} == set(Cause)


@pytest.mark.parametrize(
    ("given_up", "published", "hopeless"),
    [
        (MOST_GIVEN_UP - 1, 0, False),
        (MOST_GIVEN_UP, 0, True),
        (MOST_GIVEN_UP, MOST_GIVEN_UP - 1, True),
        (MOST_GIVEN_UP, MOST_GIVEN_UP, False),
        (1000, 2000, False),
    ],
)
def test_an_experiment_of_which_most_is_given_up_is_at_fault_itself(given_up, published, hopeless) -> None:
    assert is_hopeless(given_up, published) == hopeless


def test_nothing_goes_on_for_ever() -> None:
    # The worst luck: every try loses its machine or, once these are used up, its worker; every search finds nothing.
    losses = machines = tries = 0
    following = Next.AGAIN
    while following in (Next.AGAIN, Next.CELL_BY_CELL):
        tries += 1
        by_cell = following == Next.CELL_BY_CELL
        worker = Cause.INNOCENT if by_cell else Cause.LOST
        cause = worker if machines == MOST_MACHINES - 1 else Cause.MACHINE
        losses += cause == Cause.LOST
        machines += cause == Cause.MACHINE
        following = decide(cause, losses, machines, by_cell)
    assert tries == MOST_MACHINES - 1 + 4

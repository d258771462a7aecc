"""Running an experiment from its file to the printed summary, and going on with one."""

import math
import os
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from cluster import RunFailed, Stopped
from cluster.archive import (
    Stored,
    add_round,
    all_done,
    ask,
    begin,
    create,
    extend,
    finish,
    open_experiment,
    resume_command,
    writing,
)
from cluster.busy import playing
from cluster.changes import nearest
from cluster.dispatch import Options, on_ray, play_shards
from cluster.experiment import Source, read
from cluster.failures import reported_shards
from cluster.layout import check_archive, done, experiment_folder, games_files, one_experiment
from cluster.mend import Mender
from cluster.plan import Shard, count_shards
from cluster.planner import Estimate, make_plan
from cluster.progress import Tally, say
from cluster.store import Place, Store, store_errors, store_of
from cluster.worker import ready
from sim.compiled import source_hash
from sim.rules_file import BadInput

GIGABYTE = 1e9
GONE_SECONDS = 5.0
"""How long a stopped run waits for its workers to be gone, to clear away what they leave."""


@store_errors()
def run(file: str, archive: Place, options: Options, limit_gb: float) -> Store:
    """Plays an experiment, or what is missing of it, and prints its summary; returns where it is kept.

    Raises `BadInput` for whatever is wrong with the file, `RunFailed` if the experiment is not complete in the end.
    """
    return run_source(read(file), archive, options, limit_gb)


def run_source(source: Source, archive: Place, options: Options, limit_gb: float) -> Store:
    """As `run`, of an experiment that has been read."""
    planned = make_plan(source)
    check_size(planned.estimate, limit_gb, source.path)
    store = store_of(archive)
    check_archive(store)
    if experiment_folder(planned.plan) not in store.names():
        found = nearest(store, source, planned.plan)
        if found:
            say(f"a new experiment: differs from {found.store.name} in {', '.join(found.keys)}")
        ready(planned.plan, planned.inputs)  # before anything is written: a policy may be impossible to compile
    until = source.experiment.until
    with playing(store.at(experiment_folder(planned.plan)), store):
        stored = ask(create(store, planned.plan, planned.inputs, source.text, until), until)
        before = stored.replications
        stored = extend(stored, planned.plan.replications)
        if stored.replications != before:
            say(f"{stored.store.name}: adds replications {min(before):,} to {max(stored.replications) - 1:,}")
        return _play(stored, options)


@store_errors()
def resume(target: Place, archive: Place, options: Options, *, failed_too: bool = False) -> Store:
    """Plays what is missing or damaged of an experiment; ``failed_too``: and once more the shards with games that
    failed.

    The target is the experiment's folder, of which only ``inputs/`` counts, or an experiment file that must not have
    changed since. Raises `BadInput` if it has, or if the experiment was played by other code.
    """
    is_file = "://" not in str(target) and os.path.isfile(target)
    stored = _unchanged(Path(target), archive) if is_file else open_experiment(one_experiment(store_of(target)))
    here = source_hash()
    if stored.plan.code != here:
        message = f"was played by other code: sim/ had the hash {stored.plan.code[:16]}, now it has {here[:16]}"
        raise BadInput(message, file=str(stored.store))
    with playing(stored.store):
        return _play(stored, options, failed_too=failed_too, look_at_complete=True)


def _unchanged(file: Path, archive: Place) -> Stored:
    source = read(str(file))
    planned = make_plan(source)
    store = store_of(archive)
    if experiment_folder(planned.plan) not in store.names():
        found = nearest(store, source, planned.plan)
        if not found:
            raise BadInput(f"has not been run: {archive} has no experiment {planned.plan.name}", file=file)
        message = f"differs from {found.store} in {', '.join(found.keys)}: `duosuan run` makes a new experiment of it"
        raise BadInput(message, file=file)
    stored = open_experiment(store.at(experiment_folder(planned.plan)))
    if source.experiment.until != stored.until:
        message = f"is not that of {stored.store}: `duosuan run` goes on until then"
        raise BadInput(message, file=file, key="until")
    asked, have = planned.plan.replications, stored.replications
    if asked > min(have) or (asked < max(have) and not stored.until):
        message = f"is {asked}, and {stored.store} has {max(have)}: `duosuan run` adds games"
        raise BadInput(message, file=file, key="replications")
    return stored


def check_size(estimate: Estimate, limit_gb: float, file: Path) -> None:
    """Raises `BadInput` if an experiment might take more bytes than allowed, naming the levels that take less."""
    size = estimate.bytes * estimate.most
    if size <= limit_gb * GIGABYTE:
        return
    at_most = {level: at * estimate.most for level, at in estimate.bytes_at.items()}
    levels = [f'record = "{level}" takes {size_text(at)}' for level, at in at_most.items() if at < size]
    ways = ", ".join([*levels, f"or allow it with --limit-gb {math.ceil(size / GIGABYTE * 1.2)}"])
    raise BadInput(f"would take about {size_text(size)}, more than {limit_gb:g} GB: {ways}", file=file)


def size_text(size: float) -> str:
    """A number of bytes, in words."""
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:,.3g} GB" if size < 1000 else f"{size:,.0f} GB"


def _play(stored: Stored, options: Options, *, failed_too: bool = False, look_at_complete: bool = False) -> Store:
    """Plays what is missing or damaged, and round after round what `until` asks for besides; then prints the summary.

    Files of an experiment that is complete are looked at only if that is asked for.
    """
    store, complete = stored.store, stored.manifest["complete"]
    mender = Mender(store)
    failed, more, shown = 0, True, False
    with _cleared(store), ExitStack() as held:
        while more:
            if not complete or look_at_complete:
                mender.mend(stored)
            missing = _missing(stored, failed_too)
            if missing or not shown:
                _say_what_is_missing(stored, len(missing))
                shown = True
            if missing:
                complete = False
                failed += _play_shards(stored, missing, options, failed_too, held)
                if failed_too:
                    mender.forget()
                failed_too = False
                del missing  # many, and not needed for what follows
                continue  # what has been played is looked at in its turn
            following = _with_next_round(stored)
            more, stored = following is not stored, following
            complete = complete and not more
    if not complete or (look_at_complete and mender.digests() != stored.manifest["digests"]):
        finish(stored, mender.digests())
    if failed:
        say(f"{failed:,} games failed and have no result: {store}/failures tells why")
    if stored.until:
        from cluster.rounds import standing, told

        say(told(stored.until, standing(stored, stored.until)))
    from queries.summary import print_summary

    print_summary(str(store))
    return store


def _missing(stored: Stored, failed_too: bool) -> list[Shard]:
    again = _can_be_again(stored.store) if failed_too else set()
    there = done(stored.store)
    return [shard for shard in stored.shards() if shard.number not in there or shard.number in again]


def _with_next_round(stored: Stored) -> Stored:
    """The experiment with a round more, if one is to be added; all games before it are there."""
    if stored.until is None:
        return stored
    from cluster.rounds import following  # with the statistics, which other experiments need not wait for

    end = following(stored)
    if end is None:
        return stored
    say(f"{stored.store}: round {len(stored.rounds)}")
    return add_round(stored, end, stored.until)


def _play_shards(stored: Stored, missing: list[Shard], options: Options, again: bool, held: ExitStack) -> int:
    """Plays shards and returns how many of their games failed; Ray is ``held`` from the first that need it.

    Raises `RunFailed` if a shard of the experiment is missing afterwards.
    """
    store = stored.store
    # What was given up before would be again: the others come first.
    reported = reported_shards(store)
    missing = sorted(missing, key=lambda shard: shard.number in reported)
    total = sum(stored.rounds[-1].end)
    tally = Tally(total, total - sum(shard.games for shard in missing))
    begin(stored)
    if not options.inline:
        held.enter_context(on_ray(options, store))
    outcome = play_shards(stored, missing, tally, options, again=again)
    for report in outcome.given_up:
        say(f"shard {report['shard']}: {report['error']}" + "".join(f"; again: {g['replay']}" for g in report["games"]))
    if not all_done(stored):
        why = "stopped" if outcome.stopped else f"{len(outcome.given_up):,} shards given up"
        kind = Stopped if outcome.stopped else RunFailed
        raise kind(f"{why}; {tally.done:,} of {total:,} games are there; go on with: {resume_command(store)}")
    return tally.failed


def _can_be_again(store: Store) -> set[int]:
    """Shards with failures that can be played again: a compacted one has no file of its own any more."""
    compacted = {number for covered in games_files(store).values() if len(covered) > 1 for number in covered}
    reported = reported_shards(store)
    if reported & compacted:
        say(f"{len(reported & compacted):,} shards with failed games are compacted and stay as they are")
    return reported - compacted


def _say_what_is_missing(stored: Stored, missing: int) -> None:
    cells, games = len(stored.plan.cells), sum(stored.rounds[-1].end)
    shards = count_shards(stored.plan, stored.rounds)
    say(f"{stored.store}: {cells:,} cells, {games:,} games, {missing:,} of {shards:,} shards to play")


@contextmanager
def _cleared(store: Store) -> Generator[None]:
    """Clears away what those who are gone have left half written: at the beginning, and what this run's workers leave.

    Those of a run that is stopped are killed, and are gone a moment later.
    """
    with writing(store):
        store.clear()
    wait = 0.0
    try:
        yield
    except BaseException:
        wait = GONE_SECONDS
        raise
    finally:
        until = time.monotonic() + wait
        with writing(store):
            while store.clear() and time.monotonic() < until:
                time.sleep(0.1)

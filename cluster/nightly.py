"""A night: an experiment played under the night's date, compared with earlier nights, reported, and told of.

``duosuan nightly`` is safe to start at any time and as often as one likes: a night that is complete is only reported
again, one that broke off goes on. Tonight comes first; what is damaged or broke off of earlier nights is told and does
not hold it up. However a night ends, its page says so and a notice is posted.
"""

import errno
import hashlib
import signal
from collections.abc import Collection, Generator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import queries
from cluster import RunFailed, Stopped
from cluster.archive import reason, resume_command
from cluster.dispatch import Options
from cluster.earlier import LABEL, Earlier, nights_of, unfinished, why_given_up
from cluster.experiment import Night, Source, read
from cluster.layout import MANIFEST
from cluster.night_folder import NightFolder, try_folder
from cluster.notice import check_address
from cluster.progress import say
from cluster.prune import prune
from cluster.rounds import enough_in
from cluster.run import resume, run_source
from cluster.store import Place, Store, store_errors
from cluster.teller import Teller
from cluster.verify import games_that_differ
from queries.drift import MEASURES, Drift, Played, compare, played
from queries.nights import complete_night
from queries.nights.record import State, read_records
from sim.rules_file import BadInput, one_of

DRIFTED = 3
"""Exit code of a night whose balance is not that of an earlier one; `cluster.cli` has the others."""
_CODES = {BadInput: 2, RunFailed: 1, BrokenPipeError: 141}
_BUG = 70

_OF_THE_MACHINE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS, errno.EMFILE, errno.ENFILE}
"""Errors of the system that are no bugs of ours, wherever they come up."""


class Tonight(NamedTuple):
    """What the command line says of a night: its label, what it is compared with, what is kept, who is told."""

    label: str
    baseline: str
    keep: int | None
    webhook: str | None
    limit_gb: float


class Nights(NamedTuple):
    """What nights are played from, and where: the experiment as tonight plays it, archive and reports."""

    source: Source
    archive: Place
    reports: Path
    options: Options
    tonight: Tonight

    @property
    def name(self) -> str:
        """Name of the experiment."""
        return self.source.experiment.name

    @property
    def night(self) -> Night:
        """What the experiment says of nights."""
        return self.source.experiment.night

    @property
    def baseline(self) -> str:
        """Label of the night that all are compared with; empty if there is none."""
        return self.tonight.baseline or self.night.baseline


class GamesDiffer(RunFailed):
    """Games of a night come out otherwise when they are played again; ``alarms`` are all lines of the night."""

    def __init__(self, message: str, alarms: Sequence[str]) -> None:
        super().__init__(message)
        self.alarms = (message, *alarms)


def nightly(file: str, archive: Place, reports: Path, options: Options, tonight: Tonight) -> int:
    """Plays a night, writes its reports and returns the exit code, 0 or `DRIFTED`.

    Raises `BadInput` for whatever is wrong with the file or a place, `RunFailed` if the night is not complete in the
    end, or if games of it come out otherwise when they are played again. What it raises it has told before.
    """
    if tonight.webhook is not None:
        check_address(tonight.webhook, "--webhook")
    teller = Teller(tonight.label, Path(file).stem, tonight.webhook)
    nights, code = None, 0
    try:
        with _signals_interrupt(), store_errors(), _errors_of_the_machine():
            source = _prepared(file, archive, reports, teller)
            nights = Nights(source, archive, reports, options, tonight)
            earlier = _earlier(nights, teller)
            _note_killed(nights, earlier, teller)
            broken = _broken_off(nights, earlier, teller)
            teller.begin()
            store = run_source(source, archive, options, tonight.limit_gb)
            code = _report(nights, store, earlier, teller)
            _prune(nights)
            _go_on(nights, broken)
    except KeyboardInterrupt:
        if not teller.told:
            failure = Stopped("stopped; the same command goes on with the night")
            _tell(failure, nights, teller)
            raise failure from None
        say("stopped; tonight's games and pages are there")
    except Exception as failure:
        state = _tell(failure, nights, teller)
        if nights and state == "incomplete" and not isinstance(failure, Stopped):
            _make_room(nights)
        raise
    finally:
        teller.close()
    return code


# Before the first game


def _prepared(file: str, archive: Place, reports: Path, teller: Teller) -> Source:
    """The experiment under tonight's label, after all that tonight takes was tried: names, folders, the file."""
    label = teller.label
    if not LABEL.fullmatch(label):
        shown = label if len(label) <= 60 else f"{label[:57]}..."
        may = "use letters, digits, dots, dashes and underscores, at most 60, the first a letter or digit"
        raise BadInput(f"{shown!r} cannot name a folder of the reports: {may}", key="--label")
    try_folder(reports / label, "--reports")
    teller.folder = NightFolder.open(reports, label)
    if teller.folder is None:
        raise RunFailed(f"the night of {label} is being played by another process, which will tell of it")
    if teller.folder.damage:
        teller.note(f"left out: {teller.folder.damage}")
    source = read(file)
    teller.name = source.experiment.name
    try:
        teller.folder.check_name(teller.name)
    except BadInput:
        teller.close()  # it is not ours to write into
        raise
    for name in source.experiment.night.tolerance:
        if name not in MEASURES:
            message = f"there is no such measure: use {one_of(MEASURES, name)}"
            raise BadInput(message, file=source.path, key=f"night.tolerance.{name}")
    if "://" not in str(archive):  # an object store is tried when the plan is written, before the first game
        try_folder(Path(archive), "--archive")
    return of_night(source, label)


def of_night(source: Source, label: str) -> Source:
    """The experiment under a night's label; with dice of its own unless all nights shall roll the same."""
    experiment = source.experiment
    changes: dict[str, Any] = {"label": label}
    if experiment.night.dice == "new":
        words = hashlib.sha256(f"{experiment.seed} {label}".encode()).digest()
        changes["seed"] = int.from_bytes(words[:8], "big")
    return source._replace(experiment=experiment.model_copy(update=changes))


def _earlier(nights: Nights, teller: Teller) -> list[Earlier]:
    """Other nights of the experiment that can be used, the newest first.

    Raises `BadInput` if the baseline is none of them, unless it may be one of those that are damaged.
    """
    found, damaged = nights_of(nights.archive, nights.name)
    for line in damaged:
        teller.note(line)
    earlier = [night for night in found if night.label != teller.label]
    known = [night.label for night in earlier if night.manifest.complete]
    baseline = nights.baseline
    if baseline == teller.label:
        teller.note(f"tonight is the baseline, {baseline}: it is not compared with itself")
    elif baseline and baseline not in known:
        message = f"there is no complete night {baseline!r} in {nights.archive}"
        if not damaged:
            raise BadInput(f"{message}: use {one_of(known, baseline)}", key="baseline")
        teller.note(f"{message}: tonight is not compared with the baseline")
    return earlier


def _note_killed(nights: Nights, earlier: Sequence[Earlier], teller: Teller) -> None:
    """Notes nights that have begun and whose process is gone: nobody has told of their end."""
    missing = {night.label for night in unfinished(earlier)}
    line = "ended without a word: its process was killed, its machine has stopped, or the disk was full"
    for record in read_records(nights.reports)[0]:
        if record.state != "begun" or record.name != nights.name or record.label == teller.label:
            continue
        folder = NightFolder.open(nights.reports, record.label)
        if folder is None:
            continue  # it is being played
        with closing(folder):
            if folder.record and folder.record.state == "begun":
                teller.note(f"the night of {record.label} {line}")
                state = "incomplete" if record.label in missing else "failed"
                folder.save(folder.record.model_copy(update={"state": state, "line": line}))


def _broken_off(nights: Nights, earlier: Sequence[Earlier], teller: Teller) -> list[Earlier]:
    """Earlier nights that are gone on with after tonight; those that are not any more are noted once."""
    found = []
    for night in unfinished(earlier):
        folder = NightFolder.open(nights.reports, night.label)
        if folder is None:
            teller.note(f"{night.title} is still being played by another process")
            continue
        with closing(folder):
            try:
                folder.check_name(nights.name)
            except BadInput as other:
                teller.note(f"{night.store}: is not gone on with: {other}")
                continue
            if folder.record and folder.record.given_up:
                continue
            known = folder.begun(nights.name)
            why = why_given_up(night, known.tries, datetime.now(UTC))
            if why:
                line = f"given up, {why}: {resume_command(night.store)} goes on with it"
                teller.note(f"{night.store}: {night.title} is {line}")
                folder.save(known.model_copy(update={"state": "incomplete", "line": line, "given_up": True}))
            else:
                teller.note(f"{night.store}: {night.title} is not complete; it is gone on with after tonight's")
                found.append(night)
    return found


# What was played, compared and told


def _report(nights: Nights, store: Store, earlier: Sequence[Earlier], teller: Teller) -> int:
    """Compares a complete night with earlier ones, writes its pages and tells of it; returns the exit code."""
    differing = games_that_differ(store, nights.night.verify)
    drifts = _drifts(nights, store, earlier, teller)
    lines = [line for title, drift in drifts.items() for line in alarm_lines(title, drift)]
    code = DRIFTED if lines else 0
    record, pages = complete_night(teller.record(), str(nights.archive), store.name, drifts, enough_in)
    teller.save(record.model_copy(update={"state": "complete", "exit_code": code}), pages)
    for alarm in lines:
        print(alarm)
    print(f"report: {nights.reports / teller.label / 'report.html'}; all nights: {nights.reports / 'index.html'}")
    if differing:
        more = f"; and {len(differing) - 1:,} more of {nights.night.verify:,}" if len(differing) > 1 else ""
        raise GamesDiffer(f"{store}: {differing[0]}{more}", lines)
    line = f"{record.games:,} games, {record.failed:,} of them failed; alarms: {len(lines):,}"
    teller.end("complete", line, code, lines)
    return code


def _drifts(nights: Nights, store: Store, earlier: Sequence[Earlier], teller: Teller) -> dict[str, Drift]:
    """How a night differs from the newest complete one that can be read, and from the baseline, by title."""
    complete = [night for night in earlier if night.manifest.complete]
    with queries.open(str(store)) as archive, archive.errors():
        after = played(archive)
    drifts = {}
    for night in complete:
        before = _read(night, teller)
        if before:
            drifts[night.title] = compare(before, after, nights.night.tolerance, nights.night.significant)
            break
    for night in complete:
        if night.label == nights.baseline != teller.label:
            before = _read(night, teller)
            if before:
                title = f"the baseline, {night.label}"
                drifts[title] = compare(before, after, nights.night.tolerance, nights.night.significant)
            break
    return drifts


def _read(night: Earlier, teller: Teller) -> Played | None:
    """What is compared of an earlier night; None, and noted, if it cannot be read."""
    try:
        with queries.open(str(night.store)) as archive, archive.errors():
            return played(archive)
    except Exception as error:  # whatever is wrong with an older night, this one has been played
        why = str(error) if isinstance(error, BadInput) else f"{night.store}: is damaged: {error!r}"
        teller.note(f"not compared with {night.title}: {' '.join(why.split())}")
        return None


def alarm_lines(title: str, drift: Drift) -> list[str]:
    """One line for each alarm."""
    return [
        f"drift from {title}: {_cell(found.cell)}: {found.measure} {found.before:.4g} -> {found.after:.4g} "
        f"({found.difference:+.4g}, 95 % {found.low:+.4g} to {found.high:+.4g}, n {found.n:,}, p {found.p:.2g})"
        for found in drift.alarms
    ]


def _cell(cell: dict[str, Any]) -> str:
    factors = {
        key: value for key, value in cell.items() if key not in ("rulebook", "scenario", "red_policy", "blue_policy")
    }
    settings = "".join(f", {key} = {value}" for key, value in factors.items())
    return f"{cell['scenario']}, blue {cell['blue_policy']}, red {cell['red_policy']}{settings}"


# Afterwards


def _prune(nights: Nights, spare: Collection[str] = ()) -> None:
    """Deletes older nights, never tonight's, whatever the clock says, nor the baseline nor one that is being played."""
    keep = nights.tonight.keep
    if keep is None:
        return
    label = nights.source.experiment.label
    others, _ = nights_of(nights.archive, nights.name)
    playing = [night.label for night in unfinished(others) if night.label != label and _is_held(nights, night)]
    # What is spared does not count there; tonight does.
    prune(
        nights.archive, keep - 1, really=True, only=nights.name, spare={label, nights.baseline, *playing, *spare} - {""}
    )


def _make_room(nights: Nights) -> None:
    """A night that is not complete counts as any other; the newest that is stays, to compare with."""
    try:
        with store_errors():
            found, _ = nights_of(nights.archive, nights.name)
            _prune(nights, spare=[night.label for night in found if night.manifest.complete][:1])
    except RunFailed as failure:
        say(f"older nights stay: {failure}")


def _is_held(nights: Nights, night: Earlier) -> bool:
    folder = NightFolder.open(nights.reports, night.label)
    if folder:
        folder.close()
    return folder is None


def _go_on(nights: Nights, broken: Sequence[Earlier]) -> None:
    """Goes on with nights that broke off. How each ends is told as of any night, and is nothing to tonight's."""
    for night in broken:
        folder = NightFolder.open(nights.reports, night.label) if night.store.exists(MANIFEST) else None
        if folder is None:
            continue  # deleted meanwhile, or being played by another process
        teller = Teller(night.label, nights.name, nights.tonight.webhook)
        teller.folder = folder
        try:
            teller.begin(by_later=True)
            store = resume(str(night.store), nights.archive, nights.options)
            found, _ = nights_of(nights.archive, nights.name)
            before = [it for it in found if it.label != night.label and it.manifest.created < night.manifest.created]
            _report(nights, store, before, teller)
        except Exception as failure:  # told; tonight is complete
            say(f"{night.title}: {_line(failure)}")
            _tell(failure, nights, teller)
            if isinstance(failure, Stopped):
                return
        finally:
            teller.close()


# However it ends


def _tell(failure: Exception, nights: Nights | None, teller: Teller) -> State:
    """Tells of a night that has not gone well, and returns its state."""
    state: State = "failed"
    if nights and not teller.told:
        try:
            found, _ = nights_of(nights.archive, nights.name)
            if any(night.label == teller.label for night in unfinished(found)):
                state = "incomplete"
        except OSError as error:  # the store may be what has failed
            teller.note(f"{nights.archive}: {_line(error)}")
    code = next((code for kind, code in _CODES.items() if isinstance(failure, kind)), _BUG)
    teller.fail(state, _line(failure), code, failure.alarms if isinstance(failure, GamesDiffer) else ())
    return state


def _line(error: Exception) -> str:
    """What went wrong, in one line."""
    if isinstance(error, BadInput | RunFailed | OSError):
        return " ".join(str(error).split())
    return f"a bug in duosuan: {type(error).__name__}: {' '.join(str(error).split())}"


@contextmanager
def _signals_interrupt() -> Generator[None]:
    """Has SIGTERM and SIGHUP do what Ctrl-C does, so that a night that is stopped is told of, too.

    While games are played SIGTERM is for those who play them, see `cluster.dispatch`.
    """
    taken = [number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) == signal.SIG_DFL]

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    for number in taken:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def _errors_of_the_machine() -> Generator[None]:
    """A full disk, or one that cannot be written, is no bug wherever it comes up."""
    try:
        yield
    except OSError as error:
        if error.errno not in _OF_THE_MACHINE:
            raise
        raise RunFailed(f"{error.filename or 'this machine'}: {reason(error)}") from None

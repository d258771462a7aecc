"""A night: an experiment played under the night's date, compared with earlier nights, reported, and told of.

``duosuan nightly`` is safe to start at any time and as often as one likes: a night that is complete is only reported
again, one that broke off goes on.
"""

import hashlib
import json
import re
import urllib.request
from pathlib import Path
from typing import Any, NamedTuple

import queries
from cluster import RunFailed
from cluster.dispatch import Options
from cluster.experiment import Night, Source, read
from cluster.layout import MANIFEST, experiments
from cluster.progress import say
from cluster.prune import prune
from cluster.rounds import enough_in
from cluster.run import resume, run_source
from cluster.store import Place, Store, store_of
from cluster.verify import games_that_differ
from queries.drift import MEASURES, Drift, compare
from queries.nights import write_index, write_night
from sim.rules_file import BadInput, one_of

LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")

NOTICE_SECONDS = 10.0
"""How long a notice may take; a night does not wait for more, nor fail for it."""


class Tonight(NamedTuple):
    """What the command line says of a night: its label, what it is compared with, what is kept, who is told."""

    label: str
    baseline: str
    keep: int | None
    webhook: str | None
    limit_gb: float


class Earlier(NamedTuple):
    """A night in the archive, by its manifest."""

    store: Store
    manifest: dict[str, Any]


def nightly(file: str, archive: Place, reports: Path, options: Options, tonight: Tonight) -> int:
    """Plays a night, writes its reports and returns the number of alarms.

    Raises `BadInput` for whatever is wrong with the file, `RunFailed` if the night is not complete in the end, or if
    games of it come out otherwise when they are played again.
    """
    if not LABEL.fullmatch(tonight.label):
        raise BadInput(f"{tonight.label!r} cannot name a folder: use letters, digits, dots and dashes", key="--label")
    if tonight.webhook and not tonight.webhook.startswith(("http://", "https://")):
        raise BadInput(f"{tonight.webhook!r} is no address: it begins with http:// or https://", key="--webhook")
    source = read(file)
    night = _night(source)
    baseline = tonight.baseline or night.baseline
    dated = of_night(source, tonight.label)
    _finish_earlier(dated, archive, options)
    compared = _compared(archive, dated, baseline)
    store = run_source(dated, archive, options, tonight.limit_gb)
    differing = games_that_differ(store, night.verify)
    drifts = {title: _drift(earlier, store, night) for title, earlier in compared.items()}
    lines = [line for title, drift in drifts.items() for line in alarm_lines(title, drift)]
    folder = write_night(reports / tonight.label, str(archive), store.name, tonight.label, drifts, enough_in)
    index = write_index(reports)
    for line in lines:
        print(line)
    print(f"report: {folder / 'report.html'}; all nights: {index}")
    if differing:
        more = f"; and {len(differing) - 1:,} more of {night.verify:,}" if len(differing) > 1 else ""
        failure = f"{store}: {differing[0]}{more}"
        if tonight.webhook:
            _tell(tonight.webhook, dated, [failure, *lines], folder)
        raise RunFailed(failure)
    if tonight.keep is not None:
        prune(archive, tonight.keep, really=True, only=source.experiment.name, spare=baseline)
    if tonight.webhook:
        _tell(tonight.webhook, dated, lines, folder)
    return len(lines)


def of_night(source: Source, label: str) -> Source:
    """The experiment under a night's label; with dice of its own unless all nights shall roll the same."""
    experiment = source.experiment
    changes: dict[str, Any] = {"label": label}
    if _night(source).dice == "new":
        words = hashlib.sha256(f"{experiment.seed} {label}".encode()).digest()
        changes["seed"] = int.from_bytes(words[:8], "big")
    return source._replace(experiment=experiment.model_copy(update=changes))


def _night(source: Source) -> Night:
    night = source.experiment.night
    for name in night.tolerance:
        if name not in MEASURES:
            message = f"there is no such measure: use {one_of(MEASURES, name)}"
            raise BadInput(message, file=source.path, key=f"night.tolerance.{name}")
    return night


def _earlier(archive: Place, source: Source) -> list[Earlier]:
    """Other nights of the experiment, the newest first."""
    found = []
    try:
        stores = experiments(store_of(archive))
    except BadInput:
        return []  # tonight is the first
    for store in stores:
        manifest = json.loads(store.read(MANIFEST))
        if manifest["name"] == source.experiment.name and manifest["label"] != source.experiment.label:
            found.append(Earlier(store, manifest))
    return sorted(found, key=lambda night: (night.manifest["created"], night.manifest["label"]), reverse=True)


def _finish_earlier(source: Source, archive: Place, options: Options) -> None:
    """Goes on with nights that broke off. What other code has begun is left as it is."""
    for night in _earlier(archive, source):
        if night.manifest["complete"]:
            continue
        try:
            say(f"{night.store}: the night of {night.manifest['label']} is not complete")
            resume(str(night.store), archive, options)
        except (BadInput, RunFailed) as failure:
            say(f"it stays as it is: {failure}")


def _compared(archive: Place, source: Source, baseline: str) -> dict[str, Earlier]:
    """What tonight is compared with, by title: the newest complete night before it, and the baseline."""
    complete = [earlier for earlier in _earlier(archive, source) if earlier.manifest["complete"]]
    chosen = {}
    if complete:
        manifest = complete[0].manifest
        chosen[f"the night of {manifest['label'] or manifest['created']}"] = complete[0]
    if baseline and baseline != source.experiment.label:
        pinned = [earlier for earlier in complete if earlier.manifest["label"] == baseline]
        if not pinned:
            known = one_of((earlier.manifest["label"] for earlier in complete), baseline)
            raise BadInput(f"there is no complete night {baseline!r} in {archive}: use {known}", key="baseline")
        chosen[f"the baseline, {baseline}"] = pinned[0]
    return chosen


def _drift(earlier: Earlier, store: Store, night: Night) -> Drift:
    with queries.open(str(earlier.store)) as before, queries.open(str(store)) as after:
        return compare(before, after, night.tolerance, night.significant)


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


def _tell(url: str, source: Source, lines: list[str], folder: Path) -> None:
    """Posts a notice as JSON; a failure is said and is none of the night's."""
    notice = {
        "experiment": source.experiment.name,
        "night": source.experiment.label,
        "alarms": lines,
        "report": str(folder / "report.html"),
    }
    request = urllib.request.Request(
        url, json.dumps(notice).encode(), {"Content-Type": "application/json"}, method="POST"
    )
    try:
        with urllib.request.urlopen(request, timeout=NOTICE_SECONDS):
            pass
    except OSError as error:
        say(f"the notice could not be sent: {error}")

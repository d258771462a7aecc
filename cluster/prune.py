"""Pruning: of experiments that are run again and again, only the newest stay."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from cluster import RunFailed
from cluster.archive import checked, read_json, writing
from cluster.busy import Busy, is_played, locked
from cluster.layout import MANIFEST, experiments
from cluster.progress import say
from cluster.run import size_text
from cluster.store import Place, Store, store_errors, store_of
from queries.catalog import FOLDER, TABLES


class _Told(BaseModel):
    """What a manifest of whatever version tells of an experiment."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)

    name: str
    id: str
    label: str
    created: str


class _Night(NamedTuple):
    """An experiment as far as its manifest tells."""

    store: Store
    told: _Told
    created: datetime

    @property
    def age(self) -> tuple[datetime, str]:
        """Sorts the older before the younger."""
        return self.created, self.told.id


@store_errors()
def prune(place: Place, keep: int, really: bool, only: str = "", spare: Collection[str] = ()) -> None:
    """Of the experiments of each name keeps the newest; shows the others and, if it is really wanted, deletes them.

    ``only``: those of one name; ``spare``: labels whose experiments stay in any case and do not
    count. What is being played or
    compacted, has a damaged manifest, or is said to be created in the future, stays too, and is told of.
    """
    nights: dict[str, list[_Night]] = {}
    now = datetime.now(UTC)
    for store in experiments(store_of(place)):
        try:
            night = _night(store)
        except RunFailed as error:
            say(f"{error}; it stays as it is")
            continue
        if (only and night.told.name != only) or night.told.label in spare:
            continue
        if night.created > now:
            # Some clock is wrong: neither this one nor those that look older may go for it.
            say(f"{store}: is said to be created in the future ({night.told.created}) and stays as it is")
            continue
        nights.setdefault(night.told.name, []).append(night)
    old = [night for name in sorted(nights) for night in sorted(nights[name], key=lambda it: it.age)[:-keep]]
    sizes = [_remove(night, really) for night in old]
    gone = [size for size in sizes if size is not None]
    kept = sum(map(len, nights.values())) - len(gone)
    what = "deleted" if really else "would be deleted"
    print(f"{len(gone):,} experiments, {size_text(sum(gone))} {what}; {kept:,} stay")
    if gone and not really:
        print("nothing is deleted yet: --yes does it")


def _night(store: Store) -> _Night:
    told = checked(_Told, read_json(store, MANIFEST), store, MANIFEST)
    folder = FOLDER.fullmatch(store.name)
    if folder and (folder["name"], folder["id"]) != (told.name, told.id[:8]):
        raise RunFailed(f"{store}/{MANIFEST}: is not that of this folder: the file is damaged")
    try:
        created = datetime.fromisoformat(told.created)
    except ValueError:
        raise RunFailed(f"{store}/{MANIFEST}: created: {told.created!r} is no time: the file is damaged") from None
    return _Night(store, told, created if created.tzinfo else created.replace(tzinfo=UTC))


def _remove(night: _Night, really: bool) -> int | None:
    """Shows an experiment, deletes it if that is really wanted, and returns its bytes; None if somebody is at it."""
    store = night.store
    if at_it := is_played(store):
        say(at_it)
        return None
    size = store.size("")
    if really:
        try:
            with locked(store, "delete"), writing(store):
                _delete(store)
        except Busy as at_it:
            say(str(at_it))
            return None
    label = f", {night.told.label}" if night.told.label else ""
    print(f"{store}: created {night.told.created}{label}, {size_text(size)}")
    return size


def _delete(store: Store) -> None:
    """Deletes an experiment. Its games go first: interrupted there, it is one that has none yet, and is found again.

    The manifest goes before what it stands on: interrupted after it, a few small files stay that readers leave out.
    """
    for folder in (*TABLES, "failures"):
        store.delete(store.below(folder))
    store.delete([MANIFEST])
    store.delete_all()

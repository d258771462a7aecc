"""Pruning: of experiments that are run again and again, only the newest stay."""

import json
from collections.abc import Collection
from typing import Any, NamedTuple

from cluster import RunFailed
from cluster.archive import writing
from cluster.layout import MANIFEST, experiments
from cluster.plan import TABLES
from cluster.progress import say
from cluster.run import size_text
from cluster.store import Place, Store, store_errors, store_of


class _Night(NamedTuple):
    """An experiment as far as its manifest tells."""

    store: Store
    manifest: dict[str, Any]

    @property
    def age(self) -> tuple[str, str]:
        """Sorts the older before the younger."""
        return self.manifest["created"], self.manifest["id"]


@store_errors()
def prune(place: Place, keep: int, really: bool, only: str = "", spare: Collection[str] = ()) -> None:
    """Of the experiments of each name keeps the newest; shows the others and, if it is really wanted, deletes them.

    ``only``: those of one name; ``spare``: labels whose experiments stay in any case and do not count.
    """
    nights: dict[str, list[_Night]] = {}
    for store in experiments(store_of(place)):
        try:
            night = _Night(store, _manifest(store))
        except RunFailed as damaged:
            say(f"left out: {damaged}")
            continue
        if (only and night.manifest["name"] != only) or night.manifest["label"] in spare:
            continue
        nights.setdefault(night.manifest["name"], []).append(night)
    old = [night for name in sorted(nights) for night in sorted(nights[name], key=lambda it: it.age)[:-keep]]
    sizes = [night.store.size("") for night in old]
    for night, size in zip(old, sizes, strict=True):
        label = f", {night.manifest['label']}" if night.manifest["label"] else ""
        print(f"{night.store}: created {night.manifest['created']}{label}, {size_text(size)}")
        if really:
            with writing(night.store):
                _delete(night.store)
    kept = sum(map(len, nights.values())) - len(old)
    what = "deleted" if really else "would be deleted"
    print(f"{len(old):,} experiments, {size_text(sum(sizes))} {what}; {kept:,} stay")
    if old and not really:
        print("nothing is deleted yet: --yes does it")


def _manifest(store: Store) -> dict[str, Any]:
    try:
        manifest = json.loads(store.read(MANIFEST))
        if not all(isinstance(manifest[key], str) for key in ("name", "id", "label", "created")):
            raise ValueError("name, id, label and created are no texts")
        return manifest
    except (ValueError, LookupError, TypeError) as error:
        raise RunFailed(f"{store}/{MANIFEST}: is damaged: {error}") from None


def _delete(store: Store) -> None:
    """Deletes an experiment. Its games go first: interrupted there, it is one that has none yet, and is found again.

    The manifest goes before what it stands on: interrupted after it, a few small files stay that readers leave out.
    """
    for folder in (*reversed(TABLES), "failures"):
        store.delete(store.below(folder))
    store.delete([MANIFEST])
    store.delete_all()

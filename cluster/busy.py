"""Who is at an experiment: any number of runs may play it at once, but one only may compact or delete it, and then
nobody plays.

Each leaves a small file in the experiment's folder that tells who it is, renewed now and then, and takes it away at
the end. That of a process that is gone does not count: one of this host that is no more, or of another place without
a sign for a day.
"""

import contextlib
import re
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager

from pydantic import Field, ValidationError

from cluster import RunFailed
from cluster.archive import writing
from cluster.progress import say
from cluster.publish import WHO, is_gone, this_process
from cluster.store import Store
from sim.rules_file import Strict


class Busy(RunFailed):
    """Somebody is at an experiment."""


PLAYING = "playing"
LOCK = "locked"
"""The file of who compacts or deletes; there can be only one."""
RENEW_SECONDS = 600.0
_PLAYER = re.compile(rf"{PLAYING}\.({WHO})")


class _Sign(Strict):
    """A sign of life: what is done, by whom, and when that was so, in seconds since 1970."""

    what: str
    who: str = Field(pattern=f"^{WHO}$")
    seen: float


@contextmanager
def playing(store: Store, archive: Store | None = None) -> Generator[None]:
    """Says that this process plays an experiment. Raises `Busy` if it is being compacted or deleted."""
    name = f"{PLAYING}.{this_process()}"
    with writing(archive or store):
        store.delete(list(_gone(store)))
        store.publish_text(name, _text("play"), "busy")
    with _renewed(store, name, "play"):
        if at_it := _locked(store):
            raise Busy(at_it)
        yield


@contextmanager
def locked(store: Store, what: str) -> Generator[None]:
    """Keeps an experiment for this process alone, to do ``what``. Raises `Busy` if somebody is at it."""
    with writing(store):
        store.delete(list(_gone(store)))
        if not store.publish_text(LOCK, _text(what), "busy", only_if_new=True):
            raise Busy(_locked(store) or f"{store}: somebody else was at it: try again")
    with _renewed(store, LOCK, what):
        if at_it := is_played(store):
            raise Busy(at_it)
        yield


def is_played(store: Store) -> str:
    """A line that says who plays an experiment; empty if nobody does."""
    gone = set(_gone(store))
    for name in store.names():
        if (found := _PLAYER.fullmatch(name)) and name not in gone:
            return f"{store}: is being played by {_shown(found[1])} and stays as it is ({name} says so)"
    return ""


def _locked(store: Store) -> str:
    if LOCK not in store.names() or LOCK in set(_gone(store)):
        return ""
    sign = _read(store, LOCK)
    what = {"compact": "compacted", "delete": "deleted"}.get(sign.what, "changed") if sign else "changed"
    who = _shown(sign.who) if sign else "somebody"
    return f"{store}: is being {what} by {who} ({LOCK} says so): try again when it is through"


def _shown(who: str) -> str:
    host, _, _, pid, _ = who.split(".")
    return f"process {pid} of {host}"


def _gone(store: Store) -> Iterator[str]:
    """Files of those who are gone."""
    for name in store.names():
        if name != LOCK and not _PLAYER.fullmatch(name):
            continue
        sign = _read(store, name)
        # What cannot be read says nothing: whoever wrote it may still be there. A process does one thing at a time:
        # its own lock is one that it could not take away.
        if sign and (is_gone(sign.who, sign.seen) or (name == LOCK and sign.who == this_process())):
            yield name


def _read(store: Store, name: str) -> _Sign | None:
    try:
        return _Sign.model_validate_json(store.read(name))
    except (FileNotFoundError, ValidationError):
        return None


def _text(what: str) -> str:
    return _Sign(what=what, who=this_process(), seen=time.time()).model_dump_json() + "\n"


@contextmanager
def _renewed(store: Store, name: str, what: str) -> Generator[None]:
    """Gives a sign of life now and then, and takes the file away at the end."""
    ended = threading.Event()

    def renew() -> None:
        while not ended.wait(RENEW_SECONDS):
            try:
                store.publish_text(name, _text(what), "busy")
            except OSError as error:  # it counts for a day: until then it may be possible again
                say(f"{store}/{name}: cannot be renewed: {error}")

    renewing = threading.Thread(target=renew, daemon=True)
    renewing.start()
    try:
        yield
    finally:
        ended.set()
        renewing.join()
        # Whoever could not write cannot delete either; what is left is seen to be of a process that is gone.
        with contextlib.suppress(OSError):
            if (sign := _read(store, name)) and sign.who == this_process():
                store.delete([name])

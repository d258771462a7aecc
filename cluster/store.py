"""Where experiments are kept: a folder of this machine, or a prefix of an object store. All writing goes through here.

Reading is that of `queries.files`; how a file gets to its place, whole or not at all, is `cluster.publish`.
"""

import abc
import contextlib
import errno
import os
import shutil
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

from cluster import RunFailed
from cluster.publish import Draft, Upload, clear_uploads, remove_remains
from queries.files import LocalFiles, RemoteFiles, StoreError, without_credentials
from sim.rules_file import BadInput


class _Writes(abc.ABC):
    """What both kinds of store do in the same way. As text, a store is its place as it was given."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __str__(self) -> str:
        return self.place

    @abc.abstractmethod
    def draft(self, path: str) -> Draft:
        """A file on its way to a path."""

    def publish_text(self, path: str, text: str, what: str, *, only_if_new: bool = False) -> bool:
        """Publishes a text file, see `Draft.publish`."""
        draft = self.draft(path)
        try:
            draft.temporary.write_text(text, encoding="utf-8")
            return draft.publish(what, only_if_new=only_if_new)
        except OSError:
            # On a full disk every byte counts: leave nothing half-written behind.
            with contextlib.suppress(OSError):
                draft.discard()
            raise


class LocalStore(_Writes, LocalFiles):
    """A folder of this machine, or of a file system that all workers share."""

    def __init__(self, place: str) -> None:
        _Writes.__init__(self, place)
        LocalFiles.__init__(self, place)

    def at(self, folder: str) -> "LocalStore":
        """A folder below it."""
        return LocalStore(str(Path(self.place, folder)))

    def draft(self, path: str) -> Draft:
        """A file on its way to a path."""
        return Draft(Path(self.root, path))

    def delete(self, paths: Iterable[str]) -> None:
        """Removes files; those that are not there do not matter."""
        for path in paths:
            Path(self.root, path).unlink(missing_ok=True)

    def delete_all(self) -> None:
        """Removes everything, the folder itself included."""
        shutil.rmtree(self.root)

    def clear(self) -> bool:
        """Removes temporary files that nobody writes any more; returns whether others of this machine are written."""
        return remove_remains(Path(self.root))


class RemoteStore(_Writes, RemoteFiles):
    """A prefix of an object store."""

    def __init__(self, place: str) -> None:
        _Writes.__init__(self, place.rstrip("/"))
        RemoteFiles.__init__(self, place)

    def at(self, folder: str) -> "RemoteStore":
        """A prefix below it."""
        return RemoteStore(f"{self.place}/{folder}")

    def draft(self, path: str) -> Draft:
        """A file on its way to a path."""
        return Upload(self, path)

    def delete(self, paths: Iterable[str]) -> None:
        """Removes files; those that are not there do not matter."""
        targets = [f"{self.prefix}/{path}" for path in paths]
        if targets:
            with self.plainly(), contextlib.suppress(FileNotFoundError):
                self.system.rm(targets)

    def delete_all(self) -> None:
        """Removes everything below the prefix."""
        self.delete(self.below(""))

    def clear(self) -> bool:
        """As that of `LocalStore`, of what is to be sent from this machine."""
        return clear_uploads()


Store = LocalStore | RemoteStore
Place = str | os.PathLike[str]
"""A folder, or an address such as ``s3://bucket/prefix``."""


def store_of(place: Place) -> Store:
    """The store at a place. Raises `BadInput` for an impossible address."""
    given = str(place)
    if not given:
        raise BadInput("is empty: use a folder or s3://bucket/prefix", file="the archive's name")
    if "://" not in given:
        return LocalStore(str(Path(given)))
    try:
        return RemoteStore(given)
    except (ImportError, ValueError) as unknown:  # fsspec does not know the protocol, or lacks what it takes
        raise BadInput(f"cannot be used: {unknown}", file=without_credentials(given)) from None


@contextmanager
def store_errors() -> Generator[None]:
    """A store that cannot be read ends a command with one line."""
    try:
        yield
    except StoreError as error:
        raise RunFailed(str(error)) from None
    except PermissionError as error:
        raise RunFailed(f"{error.filename}: cannot be read: {error.strerror}") from None
    except OSError as error:
        if error.errno not in (errno.ENAMETOOLONG, errno.ELOOP):
            raise
        raise BadInput(f"cannot be used: {error.strerror}", file=error.filename) from None

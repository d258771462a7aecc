"""What the connection sees of an archive: the files of its tables, to be read, and no other file."""

import re
import threading
from datetime import datetime
from typing import IO, Any

from fsspec import AbstractFileSystem

from queries.catalog import FOLDER, SHARDS, TABLES
from queries.files import LocalFiles, RemoteFiles, Stat

SCHEME = "archive://"
"""How DuckDB's names of the files begin. The rest is the path below the archive's root, so that no folder above has a
say in the views: DuckDB makes a column of each folder that is called ``column=value``.
"""

READABLE = re.compile(rf"{FOLDER.pattern}/(?:cells\.parquet|(?:{'|'.join(TABLES)})/{SHARDS.pattern})")


class TableFiles(AbstractFileSystem):
    """A file system with an archive's Parquet files. It opens them for reading and can do nothing else, whatever
    statement asks: the doors of a database are many, and each of its versions has new ones.

    ``above`` is a folder that paths have here and not in ``files``: that of the experiment, if ``files`` are its own.
    """

    protocol = SCHEME.removesuffix("://")
    cachable = False

    def __init__(self, files: LocalFiles | RemoteFiles, above: str = "") -> None:
        super().__init__()
        self._files = files
        self._above = f"{above}/" if above else ""
        self._known: dict[str, Stat] = {}

    def open(self, path: str, mode: str = "rb", **_: Any) -> "TableFile":
        """A file. Raises `PermissionError` if it is to be written."""
        if mode != "rb":
            raise PermissionError(f"{path}: an archive is only read")
        inner = self._inner(path)
        self._known[path] = self._files.stat(inner)
        return TableFile(self._files, inner)

    def size(self, path: str) -> int:
        """Bytes of a file that has been opened."""
        return self._known[path].size

    def modified(self, path: str) -> datetime:
        """When a file was written that has been opened."""
        return self._known[path].modified

    def isfile(self, path: str) -> bool:
        """Whether it is a file of a table."""
        return READABLE.fullmatch(path.removeprefix(SCHEME)) is not None and self._files.exists(self._inner(path))

    def isdir(self, path: str) -> bool:
        """Nothing is: there is nothing to list."""
        return False

    def exists(self, path: str, **_: Any) -> bool:
        """Whether it is a file of a table."""
        return self.isfile(path)

    def glob(self, path: str, **_: Any) -> list[str]:
        """The file itself: the views name each file, and patterns find nothing."""
        return [path] if READABLE.fullmatch(path.removeprefix(SCHEME)) else []

    def ls(self, path: str, detail: bool = True, **_: Any) -> list[Any]:
        """Nothing."""
        return []

    def mv(self, path1: str, path2: str, *_: Any, **__: Any) -> None:
        """Nothing is moved."""
        raise PermissionError(f"{path1}: an archive is only read")

    def _refuse(self, path: str, *_: Any, **__: Any) -> None:
        raise PermissionError(f"{path}: an archive is only read")

    mkdir = makedirs = touch = rm = _refuse

    def _inner(self, path: str) -> str:
        """A file's path below the root of ``files``. Raises `PermissionError` for what is no file of a table."""
        inner = path.removeprefix(SCHEME)
        if not READABLE.fullmatch(inner):
            raise PermissionError(f"{path}: is no file of a table")
        return inner.removeprefix(self._above)


class TableFile:
    """A file that several threads read: each has its own place in it, as DuckDB seeks and reads in two calls.

    It is opened when it is first read: most often DuckDB only wants to know whether it has changed.
    """

    def __init__(self, files: LocalFiles | RemoteFiles, path: str) -> None:
        self._files = files
        self._path = path
        self._file: IO[bytes] | None = None
        self._lock = threading.Lock()
        self._places: dict[int, int] = {}

    def seek(self, place: int) -> None:
        """Goes to a place."""
        self._places[threading.get_ident()] = place

    def tell(self) -> int:
        """The place where it is."""
        return self._places.get(threading.get_ident(), 0)

    def read(self, count: int) -> bytes:
        """Reads so many bytes, or what is left."""
        place = self.tell()
        with self._lock, self._files.plainly():
            if self._file is None:
                self._file = self._files.open(self._path)
            self._file.seek(place)
            content = self._file.read(count)
        self.seek(place + len(content))
        return content

    def close(self) -> None:
        """Closes it."""
        if self._file is not None:
            self._file.close()

    def __del__(self) -> None:
        self.close()  # DuckDB lets go of a file without a word

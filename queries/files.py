"""Where archives are: folders of this machine, or prefixes of an object store. All access to their files is here."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb


class LocalFiles:
    """The files below a folder of this machine. Paths are relative to it, with ``/``."""

    def __init__(self, root: str) -> None:
        self.root = Path(root).resolve().as_posix()

    def folders(self) -> list[str]:
        """Names of the folders directly below the root, in order."""
        with os.scandir(self.root) as entries:
            return sorted(entry.name for entry in entries if entry.is_dir())

    def below(self, folder: str) -> list[str]:
        """Paths of all files below a folder, in order; none if there is no such folder."""
        return sorted(self._walk(folder))

    def _walk(self, folder: str) -> Iterator[str]:
        for where, _, names in os.walk(f"{self.root}/{folder}"):
            inner = Path(where).relative_to(self.root).as_posix()
            for name in names:
                yield f"{inner}/{name}"

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""
        return Path(self.root, path).is_file()

    def read(self, path: str) -> bytes:
        """A file's content. Raises `FileNotFoundError` if there is none."""
        return Path(self.root, path).read_bytes()

    def address(self, path: str) -> str:
        """What DuckDB calls the file."""
        return f"{self.root}/{path}"

    def register(self, connection: "duckdb.DuckDBPyConnection") -> None:
        """Lets DuckDB read these files; those of this machine it reads by itself."""


class RemoteFiles:
    """The files below an address that fsspec knows, such as ``s3://bucket/prefix``; asked as `LocalFiles` is."""

    def __init__(self, root: str) -> None:
        import fsspec  # a third of a second that local archives need not wait

        self.system, self.prefix = fsspec.core.url_to_fs(root.rstrip("/"))
        self.root = self.system.unstrip_protocol(self.prefix)  # spelled as DuckDB will have it

    def folders(self) -> list[str]:
        """Names of the folders directly below the root, in order."""
        entries = self.system.ls(self.prefix, detail=True)
        return sorted(entry["name"].rstrip("/").rpartition("/")[2] for entry in entries if entry["type"] == "directory")

    def below(self, folder: str) -> list[str]:
        """Paths of all files below a folder, in order; none if there is no such folder."""
        start = len(self.prefix.rstrip("/")) + 1
        return sorted(path[start:] for path in self.system.find(f"{self.prefix}/{folder}"))

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""
        return self.system.isfile(f"{self.prefix}/{path}")

    def read(self, path: str) -> bytes:
        """A file's content. Raises `FileNotFoundError` if there is none."""
        return self.system.cat_file(f"{self.prefix}/{path}")

    def address(self, path: str) -> str:
        """What DuckDB calls the file."""
        return f"{self.root}/{path}"

    def register(self, connection: "duckdb.DuckDBPyConnection") -> None:
        """Lets DuckDB read these files."""
        connection.register_filesystem(self.system)


def files_of(root: str) -> LocalFiles | RemoteFiles:
    """The files below a folder or below an address with ``://``."""
    return RemoteFiles(root) if "://" in root else LocalFiles(root)

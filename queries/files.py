"""Where archives are: folders of this machine, or prefixes of an object store. All reading of their files is here."""

import copy
import os
import re
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

from queries.waiting import told_if_slow

S3_OPTIONS: dict[str, Any] = {
    "use_listings_cache": False,  # others write to the same archive
    # Throttling and lost connections are tried again after a growing pause; AWS_MAX_ATTEMPTS says how often.
    "config_kwargs": {"connect_timeout": 5, "read_timeout": 10, "retries": {"mode": "standard"}},
}
"""How s3fs is told to behave. Endpoint, region and credentials come from the usual environment variables."""
S3_RETRIES = 2
"""How often s3fs itself tries: it also knows of answers that break off in the middle. With three attempts each, which
is the default of AWS_MAX_ATTEMPTS, a store that says nothing is given up after about a minute.
"""
TOLD_SECONDS = 10
"""After so long without an answer of the store this is said."""
LONGEST_KEY = 800
"""Bytes of a prefix: a store's 1,024 for a file's name, less what an experiment's files add."""
ENDPOINT = re.compile(r"https?://([^/\s@]*@)?([\w.-]+|\[[0-9a-fA-F:]+\])(:\d{1,5})?(/\S*)?")
PROTOCOLS = ("s3", "s3a", "file", "memory")

_NO_CREDENTIALS = "no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
_SLOW_DOWN = "the store asks to slow down, also after several tries: go on later"
_NO_ANSWER = "the store does not answer: AWS_ENDPOINT_URL says where it is"
_CUT = "the connection to the store failed or was cut, also after several tries"
_WHY = {
    "NoSuchBucket": "there is no such bucket",
    "InvalidAccessKeyId": "no permission: the store does not know this access key",
    "SignatureDoesNotMatch": "no permission: the secret key does not fit the access key",
    "ExpiredToken": "no permission: the credentials have expired",
    **dict.fromkeys(("SlowDown", "ServiceUnavailable", "Throttling", "RequestLimitExceeded", "503", "429"), _SLOW_DOWN),
    **dict.fromkeys(("NoCredentialsError", "PartialCredentialsError", "CredentialRetrievalError"), _NO_CREDENTIALS),
    **dict.fromkeys(("ConnectionError", "ReadTimeoutError", "FSTimeoutError"), _NO_ANSWER),
    **dict.fromkeys(("HTTPClientError", "IncompleteReadError", "ClientPayloadError", "ClientConnectionError"), _CUT),
    "ProfileNotFound": "there is no such profile: AWS_PROFILE names one of those in ~/.aws/config",
    "PermissionError": "no permission",
}
"""What is said of an error: by its code where the store gave one, else by its class or one that this comes from."""


class StoreError(OSError):
    """What an object store refuses or cannot do: ``why``, at ``address``. Says nothing that the store or a library
    said, for that may hold credentials.
    """

    def __init__(self, address: str, why: str) -> None:
        super().__init__(f"{address}: {why}")
        self.address = address
        self.why = why


class Stat(NamedTuple):
    """What is known of a file without reading it: bytes, and when it was written."""

    size: int
    modified: datetime


class LocalFiles:
    """The files below a folder of this machine. Paths are relative to it, with ``/``."""

    def __init__(self, root: str) -> None:
        try:
            self.given = os.path.abspath(root)
            self.root = os.path.realpath(root)
            os.stat(self.root)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            pass  # may be made yet, or is told of when it is read
        except (OSError, ValueError) as error:  # a loop of links, a name that is too long or holds a zero byte
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise bad(f"cannot be a folder: {why}", root if root.isprintable() else repr(root)) from None

    @property
    def name(self) -> str:
        """The last part of its place."""
        return os.path.basename(self.given)

    def plainly(self) -> AbstractContextManager[None]:
        """Errors of this machine are plain enough, see `RemoteFiles.plainly`."""
        return nullcontext()

    def names(self) -> list[str]:
        """Names of all that is directly below the root, in order; none if there is no such folder."""
        try:
            return sorted(os.listdir(self.root))
        except FileNotFoundError:
            return []

    def folders(self) -> list[str]:
        """Names of the folders directly below the root, in order. Raises `FileNotFoundError` if there is no root."""
        with os.scandir(self.root) as entries:
            return sorted(entry.name for entry in entries if _may_be_folder(entry))

    def below(self, folder: str) -> list[str]:
        """Paths of all files below a folder, in order; none if there is no such folder."""
        return sorted(self._walk(folder))

    def _walk(self, folder: str) -> Iterator[str]:
        for where, _, names in os.walk(f"{self.root}/{folder}"):
            inner = Path(where).relative_to(self.root).as_posix()
            for name in names:
                yield f"{inner}/{name}"

    def size(self, folder: str) -> int:
        """Bytes of all files below a folder."""
        return sum(Path(self.root, path).stat().st_size for path in self._walk(folder))

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""
        return os.path.isfile(f"{self.root}/{path}")

    def read(self, path: str) -> bytes:
        """A file's content. Raises `FileNotFoundError` if there is none."""
        return Path(self.root, path).read_bytes()

    def open(self, path: str) -> IO[bytes]:
        """A file to be read piece by piece. Raises `FileNotFoundError` if there is none."""
        return open(f"{self.root}/{path}", "rb")

    def stat(self, path: str) -> "Stat":
        """A file's size and time. Raises `FileNotFoundError` if there is none."""
        found = os.stat(f"{self.root}/{path}")
        return Stat(found.st_size, datetime.fromtimestamp(found.st_mtime, UTC))

    def address(self, path: str) -> str:
        """The file's name in messages."""
        return f"{self.root}/{path}"

    def listed(self, folders: Iterable[str]) -> "LocalFiles":
        """The same files: asking for size and time costs nothing here."""
        return self


def _may_be_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads in a circle; whoever looks into it finds nothing
        return True


class RemoteFiles:
    """The files below an address such as ``s3://bucket/prefix``; asked as `LocalFiles` is.

    Everything raises `StoreError` where the store refuses, does not answer, or has no such bucket.
    """

    def __init__(self, root: str) -> None:
        import fsspec  # a third of a second, with s3fs, that local archives need not wait

        _check(root)
        options = S3_OPTIONS if root.startswith(("s3:", "s3a:")) else {}
        self.system, self.prefix = fsspec.core.url_to_fs(root.rstrip("/"), **options)
        if options:
            self.system.retries = S3_RETRIES
        self.root = self.system.unstrip_protocol(self.prefix)
        self.given = self.root

    @property
    def name(self) -> str:
        """The last part of its place."""
        return self.given.rpartition("/")[2]

    @contextmanager
    def plainly(self) -> Generator[None]:
        """Turns what fsspec and its libraries raise into a `StoreError`; a file that is not there stays just that.

        A store that takes its time is told of on stderr, so that nobody waits without knowing.
        """
        try:
            with told_if_slow(
                f"{self.root}: the store has not answered for {TOLD_SECONDS} s; still trying", TOLD_SECONDS
            ):
                yield
        except StoreError:
            raise
        except Exception as error:
            code = error_code(error)
            if isinstance(error, FileNotFoundError) and code != "NoSuchBucket":
                raise
            why = next((_WHY[name] for name in (code, *_classes(error)) if name in _WHY), None)
            if why is None and not isinstance(error, OSError) and "BotoCoreError" not in _classes(error):
                raise
            raise StoreError(self.root, why or f"the store answers {code or type(error).__name__}") from None

    def names(self) -> list[str]:
        """Names of all that is directly below the root, in order; none if there is nothing."""
        try:
            with self.plainly():
                entries = self.system.ls(self.prefix, detail=True)
            return sorted(entry["name"].rstrip("/").rpartition("/")[2] for entry in entries)
        except FileNotFoundError:
            return []

    def folders(self) -> list[str]:
        """Names of the folders directly below the root, in order. Raises `FileNotFoundError` if there is nothing."""
        with self.plainly():
            entries = self.system.ls(self.prefix, detail=True)
        return sorted(entry["name"].rstrip("/").rpartition("/")[2] for entry in entries if entry["type"] == "directory")

    def below(self, folder: str) -> list[str]:
        """Paths of all files below a folder, in order; none if there is no such folder."""
        start = len(self.prefix.rstrip("/")) + 1
        with self.plainly():
            return sorted(path[start:] for path in self.system.find(f"{self.prefix}/{folder}".rstrip("/")))

    def size(self, folder: str) -> int:
        """Bytes of all files below a folder."""
        with self.plainly():
            found = self.system.find(f"{self.prefix}/{folder}".rstrip("/"), detail=True)
        return sum(entry["size"] for entry in found.values())

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""
        try:
            with self.plainly():
                return self.system.info(f"{self.prefix}/{path}")["type"] == "file"
        except FileNotFoundError:
            return False

    def read(self, path: str) -> bytes:
        """A file's content. Raises `FileNotFoundError` if there is none."""
        with self.plainly():
            return self.system.cat_file(f"{self.prefix}/{path}")

    def open(self, path: str) -> IO[bytes]:
        """A file to be read piece by piece. Raises `FileNotFoundError` if there is none."""
        with self.plainly():
            return self.system.open(f"{self.prefix}/{path}", "rb")

    def stat(self, path: str) -> "Stat":
        """A file's size and time. Raises `FileNotFoundError` if there is none."""
        target = f"{self.prefix}/{path}"
        with self.plainly():
            return Stat(self.system.size(target), self.system.modified(target))

    def address(self, path: str) -> str:
        """The file's name in messages."""
        return f"{self.root}/{path}"

    def listed(self, folders: Iterable[str]) -> Self:
        """The same files with what one listing of these folders tells of sizes and times: DuckDB asks for them
        whenever it opens a file, and the store need not be asked each time.
        """
        known = copy.copy(self)
        if not self.system.storage_options.get("use_listings_cache", True):
            options = {**self.system.storage_options, "use_listings_cache": True, "skip_instance_cache": True}
            known.system = type(self.system)(**options)
            with self.plainly():
                for folder in folders:
                    known.system.find(f"{self.prefix}/{folder}".rstrip("/"))
        return known


def _check(address: str) -> None:
    """Raises `ValueError` for an address that cannot be one, or an environment that cannot say where a store is."""
    protocol, _, place = address.partition("://")
    if protocol not in PROTOCOLS:
        raise ValueError(f"there is no way to {protocol}://: use a folder or s3://bucket/prefix")
    bucket = place.partition("/")[0]
    if "@" in bucket:
        raise ValueError("an address must hold no credentials: they belong into environment variables")
    if not place.isprintable():
        raise ValueError("an address must have no characters that cannot be printed")
    if protocol not in ("s3", "s3a"):
        return
    if not re.fullmatch(r"[\w.-]{3,255}", bucket, re.ASCII):
        raise ValueError(f"{bucket!r} is no bucket: use s3://bucket/prefix")
    if len(place.encode()) - len(bucket) > LONGEST_KEY:
        raise ValueError(f"the prefix is too long: a store takes {LONGEST_KEY} bytes with the names below it")
    for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"):
        if os.environ.get(name) and not ENDPOINT.fullmatch(os.environ[name]):
            raise ValueError(f"{name} is no address of a store: use one such as https://host:9000")
    attempts = os.environ.get("AWS_MAX_ATTEMPTS")
    if attempts and not (attempts.isdecimal() and int(attempts) > 0):
        raise ValueError(f"AWS_MAX_ATTEMPTS is {attempts!r}: use a number from 1")


def files_of(root: str) -> LocalFiles | RemoteFiles:
    """The files below a folder or below an address with ``://``."""
    return RemoteFiles(root) if "://" in root else LocalFiles(root)


def without_credentials(address: str) -> str:
    """An address, or a text with some, as it may stand in a message."""
    shown = re.sub(r"://[^/\s]*@", "://", address)
    return re.sub(r"[\x00-\x08\x0e-\x1f\x7f]", lambda found: repr(found[0])[1:-1], shown)


def error_code(error: BaseException) -> str:
    """The code that a store gave with an error, such as ``NoSuchBucket``; empty if it gave none."""
    response = getattr(error, "response", None) or getattr(error.__cause__, "response", None)
    return str(response.get("Error", {}).get("Code", "")) if isinstance(response, dict) else ""


def _classes(error: BaseException) -> list[str]:
    return [kind.__name__ for kind in type(error).__mro__]


def bad(what: str, where: str, known: Sequence[str] = (), given: str = "") -> Exception:
    """A `BadInput` about a file or folder of an archive."""
    # `sim` brings the compiler with it, a second that only those need who get an error.
    from sim.rules_file import BadInput, one_of

    return BadInput(f"{what}: it has {one_of(known, given)}" if given else what, file=where)


def is_bad(error: Exception) -> bool:
    """Whether an error is a `BadInput`; who raised one has imported `sim`, see `bad`."""
    rules_file = sys.modules.get("sim.rules_file")
    return rules_file is not None and isinstance(error, rules_file.BadInput)

"""Files of compiled code: what is not, to the byte, as it was written is never run but compiled anew."""

import functools
import hashlib
import io
import os
import pickle
import sys
import uuid
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.serialize import dumps

VERSIONS = f"{sys.version} numba {numba.__version__} llvmlite {llvmlite.__version__} numpy {np.__version__}"


class KernelFiles:
    """What is kept of one function: a file for each signature and kind of processor that it was compiled for.

    It takes the place of Numba's `IndexDataCacheFile`, which believes whatever it finds, and whose two files may tell
    of different things if two processes write at once. A file here has the SHA-256 of what it belongs to and of the
    rest, a key, and the code. A folder that cannot be written is told of once; all goes on with the code in memory.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self._belongs = hashlib.sha256(f"{VERSIONS}\0{folder.name}\0{name}\0".encode())

    def load(self, key: Any) -> Any:
        """The code that was saved under a key, None if there is none that is sound."""
        for file in self._files():
            content = self._sound(file)
            if content is not None and pickle.load(content) == key:
                return pickle.load(content)
        return None

    def save(self, key: Any, code: Any) -> None:
        """Keeps code under a key. Many processes may do so at once: each puts a whole file into the place."""
        known = dumps(key)
        content = known + dumps(code)
        file = self._folder / f"{self._name}.{hashlib.sha256(known).hexdigest()[:16]}.nbc"
        draft = file.with_name(f"{file.name}.{uuid.uuid4().hex}.tmp")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            try:
                draft.write_bytes(self._digest(content) + content)
                draft.replace(file)
            finally:
                draft.unlink(missing_ok=True)
        except OSError as error:
            _tell(str(self._folder.parent), error.strerror or str(error))

    def flush(self) -> None:
        """Forgets what is kept."""
        for file in self._files():
            file.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        try:
            names = os.listdir(self._folder)
        except OSError:
            return []
        return sorted(
            self._folder / name for name in names if name.startswith(f"{self._name}.") and name[-4:] == ".nbc"
        )

    def _sound(self, file: Path) -> io.BytesIO | None:
        """What follows the digest of a file; None if the file cannot be read or is another one than was written."""
        try:
            content = file.read_bytes()
        except OSError:
            return None
        size = self._belongs.digest_size
        return io.BytesIO(content[size:]) if content[:size] == self._digest(memoryview(content)[size:]) else None

    def _digest(self, content: bytes | memoryview) -> bytes:
        digest = self._belongs.copy()
        digest.update(content)
        return digest.digest()


@functools.cache
def _tell(folder: str, why: str) -> None:
    """Says once why compiled code is not kept: a game has no other sign of it than that it starts late."""
    ways = "every start compiles anew (DUOSUAN_CACHE_DIR names another folder)"
    print(f"compiled code cannot be kept in {folder}: {why}; {ways}", file=sys.stderr, flush=True)

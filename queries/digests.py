"""What a games file says of itself, and the digest by which it can be told whether it still is what was written."""

import hashlib
import io
import re
from typing import IO, NamedTuple

METADATA = "duosuan"
"""Key under which a file says what it belongs to, as JSON."""

NO_DIGEST = "0" * 64
"""What stands in a games file for its own digest while that is worked out."""

_OWN = re.compile(rb'"own": "([0-9a-f]{64})"')
_PIECE = 2**23
"""Bytes that are read at once; smaller files, almost all, are read in one go."""
_MAGIC = 8
"""Bytes at the end of a Parquet file: the length of the footer before them, and four letters."""


class Digests(NamedTuple):
    """SHA-256 of a games file: of the ``whole``, and of all of it but its ``own`` digest, which it has ``told`` at
    the offset ``place``. A file that tells of none, or of several, has told nothing.
    """

    whole: str
    own: str
    told: str
    place: int

    @property
    def sound(self) -> bool:
        """Whether the file is what was written."""
        return self.own == self.told


def digests(file: IO[bytes]) -> Digests:
    """The digests of a games file. Nothing of it is taken for sound, and no library reads it."""
    first = file.read(_PIECE)
    if len(first) < _PIECE:
        file = io.BytesIO(first)
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _MAGIC))
    length = int.from_bytes(file.read(4), "little")
    start = max(0, size - _MAGIC - length)
    file.seek(start)
    footer = file.read()
    told = list(_OWN.finditer(footer))
    whole = hashlib.sha256()
    file.seek(0)
    left = start
    while piece := file.read(min(_PIECE, left)):
        whole.update(piece)
        left -= len(piece)
    own = whole.copy()
    whole.update(footer)
    if len(told) != 1:
        return Digests(whole.hexdigest(), "", "nothing", 0)
    begin, end = told[0].span(1)
    own.update(footer[:begin] + NO_DIGEST.encode() + footer[end:])
    return Digests(whole.hexdigest(), own.hexdigest(), told[0][1].decode(), start + begin)

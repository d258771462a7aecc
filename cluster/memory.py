"""Memory of a process that plays games."""

import contextlib
import ctypes
import gc

import pyarrow as pa

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
KEPT_BYTES = 2**28
"""More than a batch and its rows take."""


def keep() -> None:
    """Keeps what a batch gives back for the next one, which takes just as much.

    The C library would give it back to the system and get it again in pages that have to be cleared. Libraries other
    than glibc are left as they are. What has been loaded so far stays, so it is not searched for garbage any more.
    """
    pa.set_memory_pool(pa.system_memory_pool())
    with contextlib.suppress(AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(M_MMAP_THRESHOLD, KEPT_BYTES)
        library.mallopt(M_TRIM_THRESHOLD, KEPT_BYTES)
    gc.freeze()

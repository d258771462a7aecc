"""What is said while something takes long."""

import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def told_if_slow(line: str, seconds: float) -> Generator[None]:
    """Says a line on stderr if something takes longer than so many seconds."""
    timer = threading.Timer(seconds, lambda: print(line, file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()

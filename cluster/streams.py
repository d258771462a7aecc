"""Stdout and stderr of the command: what they cannot show is replaced, and what cannot be written is said."""

import codecs
import io
import os
import sys

SIGNS = str.maketrans({"–": "-", "−": "-", "─": "-", "│": "|", "±": "~", "×": "x", "…": "...", "→": ">"})
"""What stands for our own signs where an encoding lacks them; other signs are written as JSON writes them."""


class CannotWrite(Exception):
    """Stdout takes no more, as on a full disk."""


class _Answers(io.FileIO):
    """Stdout, whose errors are told from those of other files."""

    def write(self, data, /) -> int | None:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise CannotWrite(error.strerror) from None


class _Remarks(io.FileIO):
    """Stderr: where it takes no more, there is nobody to tell, and what is done goes on."""

    def write(self, data, /) -> int | None:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError:
            return len(data)


def prepare_streams() -> None:
    """Makes stdout and stderr take every text, where they are and whatever their encoding is."""
    codecs.register_error("duosuan", _replaced)
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - open as long as the process lives
    if sys.stderr is None:  # what is opened next would get its number
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    elif isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr = _over(_Remarks, sys.stderr)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = _over(_Answers, sys.stdout)


def _over(kind: type[io.FileIO], stream: io.TextIOWrapper) -> io.TextIOWrapper:
    buffer = io.BufferedWriter(kind(stream.fileno(), "w", closefd=False))
    # What writes through would wait in the buffer all the same: remarks are to be seen line by line.
    by_line = stream.line_buffering or stream.write_through
    return io.TextIOWrapper(buffer, stream.encoding, "duosuan", line_buffering=by_line)


def write_nothing_more() -> None:
    """Lets the interpreter flush once more when it ends: into nothing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _replaced(error: UnicodeError) -> tuple[str, int]:
    import json

    assert isinstance(error, UnicodeEncodeError)
    signs = error.object[error.start : error.end].translate(SIGNS)
    return "".join(sign if sign.isascii() else json.dumps(sign)[1:-1] for sign in signs), error.end


def in_one_line(text: str) -> str:
    """A text without signs that begin a line, move the cursor or cannot be seen."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def is_text(word: str) -> bool:
    """Whether an argument can be the name of anything: it has no NUL, and bytes that are UTF-8."""
    return "\0" not in word and not any("\ud800" <= sign <= "\udfff" for sign in word)

"""The command ``duosuan``; ``python -m cluster`` is the same."""

import resource
import signal
import sys

LEAST_BYTES = 1_000_000_000
"""Address space without which no game is played: libraries that get no more of it end the process as they like."""


def main() -> None:
    """Runs the command."""
    refuse_too_little_memory()
    # While libraries are read there is nothing to tidy up, and some of them swallow the exception that Ctrl-C raises.
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from cluster.cli import main as command
    except (ImportError, MemoryError, OSError) as error:
        sys.exit(f"error: a library cannot be loaded: {' '.join(str(error).split()) or type(error).__name__}")
    signal.signal(signal.SIGINT, handler)
    command()


def refuse_too_little_memory() -> None:
    """Ends the process with one line if it is limited to less memory than any command takes that does something."""
    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    if allowed != resource.RLIM_INFINITY and allowed < LEAST_BYTES and not {"-h", "--help", "--version"} & {*sys.argv}:
        given = f"this process may have {allowed / 1e6:,.0f} MB (ulimit -v)"
        sys.exit(f"error: too little memory: {given}; a command takes {LEAST_BYTES / 1e6:,.0f} MB, without Ray")


if __name__ == "__main__":
    main()

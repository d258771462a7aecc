"""The command ``duosuan``; ``python -m cluster`` is the same."""

import signal


def main() -> None:
    """Runs the command."""
    # While libraries are read there is nothing to tidy up, and some of them swallow the exception that Ctrl-C raises.
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from cluster.cli import main as command

    signal.signal(signal.SIGINT, handler)
    command()


if __name__ == "__main__":
    main()

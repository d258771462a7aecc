"""Running experiments: plan, play on Ray, publish to an archive."""

MOST_WORKERS = 10_000
"""Nobody means more shards at once."""


class RunFailed(Exception):
    """Something went wrong that the user's files are not to blame for; the message is one line."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


class Stopped(RunFailed):
    """A run was asked to stop, by Ctrl-C or SIGTERM."""

"""What becomes of a night, told: notes on stderr as they come, in the end all of it by pages and a notice."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from cluster import RunFailed
from cluster.night_folder import NightFolder, fresh
from cluster.notice import post
from cluster.progress import say
from queries.nights.record import Record, State


class Teller:
    """Tells of one night. It has a ``folder`` as soon as this process holds one; ``told`` once its end is told."""

    def __init__(self, label: str, name: str, webhook: str | None) -> None:
        self.label = label
        self.name = name
        self.webhook = webhook
        self.folder: NightFolder | None = None
        self.notes: list[str] = []
        self.told = False

    def note(self, line: str) -> None:
        """Something that is to be known besides; the same line counts once."""
        if line not in self.notes:
            self.notes.append(line)
            say(line)

    def record(self) -> Record:
        """The night's record for this start, with all notes so far."""
        begun = self.folder.begun(self.name) if self.folder else fresh(self.label, self.name)
        return begun.model_copy(update={"notes": tuple(self.notes)})

    def begin(self, *, by_later: bool = False) -> None:
        """Writes that the night is begun: should its process be killed, this is what is left."""
        record = self.record()
        self.save(record.model_copy(update={"tries": record.tries + by_later}))

    def save(self, record: Record, pages: Mapping[str, str] = MappingProxyType({})) -> None:
        """Writes the night's pages and the index. Raises `RunFailed`."""
        for damaged in self.folder.save(record, pages) if self.folder else ():
            self.note(damaged)

    def fail(self, state: State, line: str, exit_code: int, alarms: Sequence[str] = ()) -> None:
        """Tells by pages and notice of a night that has not gone well. A page that cannot be written is said."""
        try:
            self.save(self.record().model_copy(update={"state": state, "line": line, "exit_code": exit_code}))
        except RunFailed as unwritten:
            self.note(str(unwritten))
        self.end(state, line, exit_code, alarms)

    def end(self, state: State, line: str, exit_code: int, alarms: Sequence[str]) -> None:
        """Posts the notice, whether or not the night has pages."""
        self.told = True
        if self.webhook:
            page = "report.html" if state == "complete" else "night.html"
            notice = {
                "experiment": self.name,
                "night": self.label,
                "state": state,
                "line": line,
                "exit_code": exit_code,
                "alarms": list(alarms),
                "notes": self.notes,
                "report": str(self.folder.path / page) if self.folder else None,
            }
            post(self.webhook, notice)

    def close(self) -> None:
        """Lets other processes have the night's folder, and writes no more into it."""
        if self.folder:
            self.folder.close()
            self.folder = None

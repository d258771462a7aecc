"""The shell of `duosuan sql ARCHIVE`: one query after another, with history and completion."""

import os
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.lexers import PygmentsLexer
from pygments.lexers.sql import SqlLexer

from queries import questions
from queries.archive import Archive
from queries.formats import print_table
from sim.rules_file import BadInput, one_of

if TYPE_CHECKING:
    import duckdb

COMMANDS = {
    ".tables": "the tables and how many columns each has",
    ".schema TABLE": "the columns of a table",
    ".questions": "the questions that can be asked",
    ".question NAME [parameter=value ...]": "the answer to one of them",
    ".help": "this list",
    ".quit": "leave, as Ctrl-D does",
}
WORDS = """
    select distinct name from (
        select keyword_name as name from duckdb_keywords() union all select function_name from duckdb_functions()
    ) where regexp_full_match(name, '[a-z]\\w*') order by name
"""
"""Keywords, functions and macros, as DuckDB knows them."""


def shell(archive: Archive, answer: Callable[["duckdb.DuckDBPyRelation"], None]) -> None:
    """Asks for queries until the user leaves; ``answer`` prints what comes of each.

    A query may take several lines and ends with a semicolon. What is wrong is said in one line; Ctrl-C gives up the
    line or the query, Ctrl-D leaves.
    """
    session = PromptSession(
        history=_history(),
        completer=_Completer(archive),
        complete_while_typing=False,
        lexer=PygmentsLexer(SqlLexer),
        multiline=True,
        prompt_continuation="     ... ",
        key_bindings=_keys(),
    )
    print(f"{_size(archive)}; a query ends with ; and .help lists commands")
    while True:
        try:
            text = session.prompt("duosuan> ").strip()
            if text in (".quit", ".exit"):
                return
            if text:
                _do(archive, text, answer)
        except KeyboardInterrupt:
            print("given up", file=sys.stderr)
        except EOFError:
            return
        except BadInput as error:
            print(f"error: {error}", file=sys.stderr)


def _size(archive: Archive) -> str:
    n = len(archive.experiments)
    (row,) = archive.sql("select count(*) from games").fetchall()
    return f"{n} experiment{'' if n == 1 else 's'}, {row[0]:,} games"


def is_whole(text: str) -> bool:
    """Whether a text can be answered: a command of the shell, or a query that a semicolon ends."""
    text = text.strip()
    return not text or text.startswith(".") or _without_comments(text).rstrip().endswith(";")


def _without_comments(text: str) -> str:
    """A query without what may hide a semicolon that ends nothing: comments, and texts that are not closed."""
    return re.sub(r"'(?:[^']|'')*(?:'|$)|\"[^\"]*(?:\"|$)|--[^\n]*|/\*.*?(?:\*/|$)", " ", text, flags=re.DOTALL)


def _do(archive: Archive, text: str, answer: Callable[["duckdb.DuckDBPyRelation"], None]) -> None:
    with archive.errors():
        if not text.startswith("."):
            answer(archive.sql(text))
            return
        command, *words = text.rstrip(";").split()
        if command == ".help":
            print_table(("command", "prints"), list(COMMANDS.items()), sys.stdout)
        elif command == ".tables":
            print_table(("table", "columns"), [(name, len(it)) for name, it in archive.tables.items()], sys.stdout)
        elif command == ".questions":
            rows = [(name, questions.find(name).asks) for name in questions.names()]
            print_table(("question", "asks"), rows, sys.stdout)
        elif command == ".schema":
            answer(archive.sql(f"select column_name, column_type from (describe {_table(archive, words)})"))
        elif command == ".question":
            if not words:
                raise BadInput(".question wants a name: .questions lists them")
            answer(archive.question(words[0], **dict(map(_parameter, words[1:]))))
        else:
            known = [name.split()[0] for name in COMMANDS]
            raise BadInput(f"there is no command {command!r}: use {one_of(known, command)}")


def _table(archive: Archive, words: list[str]) -> str:
    if len(words) != 1 or words[0] not in archive.tables:
        given = " ".join(words)
        what = f"there is no table {given!r}" if given else ".schema wants a table"
        raise BadInput(f"{what}: use {one_of(archive.tables, given)}")
    return words[0]


def _parameter(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not equals:
        raise BadInput(f"{word!r} is no parameter: use name=value")
    return name, value


def _keys() -> KeyBindings:
    """Enter answers a text that is whole and else begins a new line."""
    keys = KeyBindings()

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if is_whole(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.insert_text("\n")

    return keys


def history_file() -> Path:
    """Where the shell keeps what was typed: in the user's folder for state."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "duosuan" / "sql_history"


def _history() -> History:
    file = history_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
    except OSError as error:
        print(f"note: no history is kept: {file}: {error.strerror}", file=sys.stderr)
        return InMemoryHistory()
    return FileHistory(str(file))


class _Completer(Completer):
    """Completes commands of the shell, tables, columns, questions and their parameters, and words of SQL."""

    def __init__(self, archive: Archive) -> None:
        self.tables = archive.tables
        self.columns = list(dict.fromkeys(column for columns in self.tables.values() for column in columns))
        self.words = [name for (name,) in archive.sql(WORDS).fetchall()]

    def get_completions(self, document: Document, complete_event: object) -> Iterable[Completion]:
        before = document.text_before_cursor
        word = re.search(r"\.?\w*$", before)
        typed = word[0] if word else ""
        for name, what in self._candidates(before):
            start = typed if name.startswith(".") else typed.removeprefix(".")
            if name.lower().startswith(start.lower()) and name != start:
                yield Completion(name, -len(start), display_meta=what)

    def _candidates(self, before: str) -> Iterable[tuple[str, str]]:
        command, *rest = before.lstrip().split(" ")
        if command.startswith(".") and not rest:
            return [(name.split()[0], what) for name, what in COMMANDS.items()]
        if command == ".schema":
            return [(table, "table") for table in self.tables]
        if command == ".question" and len(rest) == 1:
            return [(name, questions.find(name).asks) for name in questions.names()]
        if command == ".question":
            known = questions.find(rest[0]).parameters if rest[0] in questions.names() else ()
            return [(f"{it.name}=", it.meaning) for it in known]
        owner = re.search(r"(\w+)\.\w*$", before)
        if owner and owner[1] in self.tables:
            return [(column, "column") for column in self.tables[owner[1]]]
        names = [(table, "table") for table in self.tables] + [(column, "column") for column in self.columns]
        known = {name for name, _ in names}
        words = self.words if owner or re.search(r"\w$", before) else ()  # not all of them for nothing
        return names + [(word, "") for word in words if word not in known]

"""The shell of `duosuan sql`, through a terminal as a user types into it."""

import fcntl
import os
import re
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from cluster import cli
from queries.shell import is_whole

ROOT = Path(__file__).parents[2]
CTRL_C, CTRL_D, TAB, UP = "\x03", "\x04", "\t", "\x1b[A"
LONG = "select count(*) from range(100_000_000_000) as a where a.range % 7 = 3;"
PROMPT = "duosuan>"


class Terminal:
    """A terminal in which a command runs; what it shows is read without colours and movements of the cursor."""

    def __init__(self, state, *words):
        self.master, terminal = os.openpty()
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, b"\x28\x00\xa0\x00" + bytes(4))  # 40 rows, 160 columns
        # No answer to "where is the cursor?" comes from this terminal.
        environment = {**os.environ, "XDG_STATE_HOME": str(state), "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cluster", *map(str, words)],
            cwd=ROOT, env=environment, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True,
            preexec_fn=lambda: (fcntl.ioctl(0, termios.TIOCSCTTY, 0), signal.signal(signal.SIGINT, signal.SIG_DFL)),
        )  # fmt: skip
        os.close(terminal)
        self.raw = ""

    @property
    def seen(self):
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r", "", self.raw)

    def type(self, text):
        self.raw = ""
        os.write(self.master, text.encode())

    def wait(self, *words, seconds=60):
        """Reads until all words have been shown."""
        end = time.monotonic() + seconds
        while not all(word in self.seen for word in words):
            ready, _, _ = select.select([self.master], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"waited for {words}, saw {self.seen!r}"
            try:
                self.raw += os.read(self.master, 65536).decode(errors="replace")
            except OSError:
                break
        assert all(word in self.seen for word in words), self.seen
        return self.seen

    def ask(self, text, *words):
        """Types a line and waits for words and the next prompt."""
        self.type(f"{text}\r")
        return self.wait(*words, f"\n{PROMPT}")


@pytest.fixture
def terminal(archive, tmp_path):
    opened = []

    def open_it(*words):
        opened.append(Terminal(tmp_path / "state", *(words or ("sql", archive))))
        opened[-1].wait(PROMPT)
        return opened[-1]

    yield open_it
    for each in opened:
        each.process.kill()
        each.process.wait()
        os.close(each.master)


def test_a_session(terminal):
    shell = terminal()
    shown = shell.seen
    assert "note: demo-00000001: 3 of 4 games are there so far" in shown
    assert "1 experiment, 3 games; a query ends with ; and .help lists commands" in shown
    shown = shell.ask("select cell, count(*) as n from games group by all order by cell;", "cell", "─")
    assert re.search(r"\n +0 +2\n +1 +1\n", shown), shown
    assert "note:" not in shown
    # A query of several lines
    shell.type("select winner, count(*) as n\r")
    shell.wait("...")
    shown = shell.ask("from games group by all;", "blue")
    assert re.search(r"red +2\n", shown)
    # Commands
    assert re.search(r"games +\d\d\n", shell.ask(".tables", "territory"))
    assert re.search(r"holder +VARCHAR\n", shell.ask(".schema territory", "place"))
    shell.ask(".questions", "win_rates", "How often does each side win?")
    shell.ask(".question win_rates red_policy=easy", "blue_win_rate", "demo-00000001")
    shell.ask(".help", ".quit", "leave, as Ctrl-D does")
    # What is wrong, in one line
    for text, says in (
        ("selec 1;", "error: the query: Parser Error: syntax error"),
        ("drop table experiments;", "error: the query: drop is not allowed"),
        (".tabels", "error: there is no command '.tabels': use"),
        (".schema game", "error: there is no table 'game': use"),
        (".question win_rate", "error: there is no question 'win_rate': use"),
        (".question win_rates x", "error: 'x' is no parameter: use name=value"),
    ):
        shown = shell.ask(text, says)
        assert shown.count("\nerror: ") == 1
        assert "Traceback" not in shown
    shell.type(".quit\r")
    assert shell.process.wait(10) == 0


def test_ctrl_c_gives_up_a_line_and_a_query_and_ctrl_d_leaves(terminal):
    shell = terminal()
    shell.type("select nonsense" + CTRL_C)
    shell.wait("given up", f"\n{PROMPT}")
    shell.type(f"{LONG}\r")
    time.sleep(1)  # until the query is under way
    shell.type(CTRL_C)
    shell.wait("given up", f"\n{PROMPT}")
    shell.ask("select 6 * 7 as answer;", "42")
    shell.type(CTRL_D)
    assert shell.process.wait(10) == 0


def test_completion_and_history(terminal, tmp_path):
    shell = terminal()
    for start, whole in (
        ("select fault_v" + TAB, "fault_value"),
        ("select * from territ" + TAB, "territory"),
        ("select games.end_r" + TAB, "games.end_reason"),
        ("select wilson_l" + TAB, "wilson_low"),
        ("select 1 qual" + TAB, "qualify"),
        (".sche" + TAB, ".schema"),
        (".schema terr" + TAB, ".schema territory"),
        (".question win" + TAB, "win_rates"),
        (".question win_rates red" + TAB, "red_policy="),
    ):
        shell.type(start)
        shell.wait(whole)
        shell.type(CTRL_C)
        shell.wait("given up", f"\n{PROMPT}")
    shell.ask("select 6 * 7 as answer;", "42")
    shell.type(CTRL_D)
    assert shell.process.wait(10) == 0
    assert "select 6 * 7 as answer;" in (tmp_path / "state" / "duosuan" / "sql_history").read_text()
    again = terminal()
    again.type(UP)
    again.wait("select 6 * 7 as answer;")
    again.type("\r")
    again.wait("42", f"\n{PROMPT}")


def test_a_shell_prints_in_the_form_that_was_asked_for(terminal, archive):
    shell = terminal("sql", archive, "--format", "csv")
    shell.ask("select 1 as a, 2 as b;", "a,b\n1,2\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "error: QUERY: a shell wants a terminal: use - to take the query from stdin\n"),
        (["--out", "x.csv"], "error: --out: a file takes one answer: give a query\n"),
    ],
)
def test_without_a_terminal_a_shell_is_refused(archive, capsys, words, says):
    assert cli.run(["sql", str(archive), *words]) == 2
    assert capsys.readouterr() == ("", says)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("", True), (".tables", True), ("select 1;", True), ("select 1 ; \n", True), ("select 1; -- done", True),
        ("select 1", False), ("select ';", False), ("select ';'", False), ("select ';';", True),
        ("select 1 -- ;", False), ('select ";', False), ("select 1 /* ;", False), ("select 'it''s;", False),
        ("select 1 /* x */ ;", True),
    ],
)  # fmt: skip
def test_a_query_is_whole_when_a_semicolon_ends_it(text, whole):
    assert is_whole(text) is whole

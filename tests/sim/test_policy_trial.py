"""A policy is imported by another process first: whatever it does there ends in one line that names the file."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cluster import cli
from sim import policy_trial
from sim.rules_file import BadInput

ROOT = Path(__file__).parents[2]
LOOP = "while True:\n    pass"
DEFINES = "when it is imported: a policy's file defines, and does no more"
slow = pytest.mark.slow


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import os\nos._exit(0)", "ends the process that imports it, with exit code 0"),
        ("import ctypes\nctypes.string_at(0)", "ends the process that imports it, with signal 11 (SIGSEGV)"),
        ("print('hello')", f"prints {DEFINES}"),
        ("import os\nos.chdir('/')", f"changes the working directory {DEFINES}"),
        ("import signal\nsignal.signal(signal.SIGINT, print)", f"changes what is done on signals {DEFINES}"),
        ("import threading as t\nt.Thread(target=t.Event().wait).start()", f"starts threads {DEFINES}"),
        ("import sys\nsys.exit('no\\nluck')", "cannot be imported: SystemExit: no luck (bad.py, line 2)"),
        ("class Odd(BaseException): pass\nraise Odd(3)", "cannot be imported: Odd: 3 (bad.py, line 2)"),
        pytest.param("import os\nos._exit(3)", "ends the process that imports it, with exit code 3", marks=slow),
        pytest.param(
            "import os\nos.kill(os.getpid(), 9)",
            "ends the process that imports it, with signal 9 (SIGKILL)", marks=slow
        ),
        pytest.param("import os\nos.write(1, b'a')", f"prints {DEFINES}", marks=slow),
        pytest.param("import sys\nsys.stdout = None", f"prints {DEFINES}", marks=slow),
        pytest.param("import os\nos.close(1)", "closes the output", marks=slow),
        pytest.param("import signal\nsignal.alarm(3)", f"changes what is done on signals {DEFINES}", marks=slow),
        pytest.param("import os\nos.fork()", f"starts processes {DEFINES}", marks=slow),
        pytest.param("import subprocess as s\ns.Popen(['sleep', '9'])", f"starts processes {DEFINES}", marks=slow),
        pytest.param("import sys\nsys.exit()", "cannot be imported: SystemExit (bad.py, line 2)", marks=slow),
        pytest.param("raise GeneratorExit", "cannot be imported: GeneratorExit (bad.py, line 1)", marks=slow),
        pytest.param("raise KeyboardInterrupt", "cannot be imported: it raises KeyboardInterrupt", marks=slow),
        pytest.param("def f(): f()\nf()", "cannot be imported: RecursionError: maximum recursion", marks=slow),
        pytest.param("input()", "cannot be imported: EOFError: EOF when reading a line (bad.py, line 1)", marks=slow),
        pytest.param(
            "import numpy as np\nnp.ones(1 << 40)", "cannot be imported: MemoryError: Unable to allocate", marks=slow
        ),
        pytest.param(
            "class E(Exception):\n    def __str__(self): 1 / 0\nraise E",
            "cannot be imported: E (bad.py, line 3)", marks=slow
        ),
    ],
)  # fmt: skip
def test_what_an_import_does_is_said_in_one_line(text: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        policy_trial.hold({"bad.py": text}, "bad.py")
    assert str(caught.value).startswith(f"bad.py: {message}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [LOOP, pytest.param("import signal, time\nsignal.signal(15, signal.SIG_IGN)\ntime.sleep(99)", marks=slow),
     pytest.param("while True:\n    print('more')", marks=slow)],
)  # fmt: skip
def test_an_import_without_end_is_ended(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy_trial, "TRIAL_SECONDS", 2.0)
    with pytest.raises(BadInput, match=r"^bad\.py: takes longer than 2 s to be imported$"):
        policy_trial.hold({"bad.py": text}, "bad.py")


@slow
def test_an_import_that_takes_memory_without_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy_trial, "TRIAL_SECONDS", 60.0)
    with pytest.raises(BadInput, match=r"^bad\.py: cannot be imported: MemoryError"):
        policy_trial.hold({"bad.py": "taken = []\nwhile True:\n    taken.append(bytes(1 << 24))"}, "bad.py")


def test_one_trial_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = {"fine.py": "x = 1"}
    policy_trial.hold(sources, "fine.py")
    monkeypatch.setattr(policy_trial, "_ended", None)
    policy_trial.hold(sources, "fine.py")


def test_nothing_is_written_for_a_policy_that_ends_what_imports_it(tmp_path: Path, capsys) -> None:
    (tmp_path / "bad.py").write_text("import os\nos._exit(0)")
    (tmp_path / "x.toml").write_text(
        'name = "x"\nseed = 1\nreplications = 1\n'
        '[[play]]\nscenarios = ["barbarossa/uranus"]\nblue = ["bad.py:p"]\nred = ["easy"]\n'
    )
    assert cli.run(["run", str(tmp_path / "x.toml"), "--archive", str(tmp_path / "archive"), "--inline"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    said = "play.0.blue: bad.py: ends the process that imports it, with exit code 0"
    assert told.err == f"error: {tmp_path / 'x.toml'}: {said}\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.py", "x.toml"]


def children_of(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_ctrl_c_ends_a_trial_at_once(tmp_path: Path) -> None:
    started = tmp_path / "started"
    (tmp_path / "loop.py").write_text(f"open({str(started)!r}, 'w').close()\n{LOOP}")
    command = [sys.executable, "-m", "cluster", "show", f"{tmp_path / 'loop.py'}:p"]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not started.exists():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    (child,) = children_of(process.pid)
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 130
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)

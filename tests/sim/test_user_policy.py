"""A user's own policy file: found, run cold and cached, and told from another by its text."""

import json
import os
import subprocess
import sys
import textwrap
import uuid
from pathlib import Path

import pytest

from sim.game import Policy
from sim.rules_file import BadInput
from sim.user_policy import bundle, from_sources, load

POLICY = """
    from numba import njit

    import nearby
    from sim.barbarossa.policies.hold import POLICY as HOLD
    from sim.game import BLUE, Policy

    @njit(cache=True)
    def answer(game, doctrine, memory, subject, order):
        return nearby.answer(subject)

    decisions = list(HOLD.decisions)
    decisions[4] = answer
    stubborn = Policy("stubborn", BLUE, "holds, and answers as its helper says", tuple(decisions))
"""
HELPER = """
    from numba import njit

    @njit
    def answer(region):
        return {answer}
"""
RUN = uuid.uuid4()
ROOT = Path(__file__).parents[2]


@pytest.fixture
def policy_file(tmp_path: Path) -> Path:
    write(tmp_path, answer=0)
    return tmp_path / "mine.py"


def write(folder: Path, answer: int) -> None:
    (folder / "mine.py").write_text(textwrap.dedent(POLICY))
    # A text of its own, or the cache would know it from the last time.
    (folder / "nearby.py").write_text(f"# {RUN}\n{textwrap.dedent(HELPER).format(answer=answer)}")


def test_a_policy_and_what_it_imports_make_one_bundle(policy_file: Path) -> None:
    found = load(policy_file, "stubborn")
    assert isinstance(found.policy, Policy)
    assert sorted(found.sources) == ["mine.py", "nearby.py"]
    assert from_sources(found.sources, "mine.py", "stubborn") is found.policy


@pytest.mark.parametrize("path", ["../out.py", "parts/../../out.py", "/tmp/out.py"])
def test_a_bundle_that_leads_out_of_its_folder_is_refused(path: str) -> None:
    with pytest.raises(BadInput, match=r"mine\.py: '.*out\.py' is no path within a bundle of sources"):
        from_sources({"mine.py": "", path: ""}, "mine.py", "stubborn")


def test_an_edited_helper_makes_another_bundle(policy_file: Path) -> None:
    first = load(policy_file, "stubborn")
    write(policy_file.parent, answer=1)
    second = load(policy_file, "stubborn")
    assert first.digest != second.digest
    assert first.policy is not second.policy


def refusal(path: Path, name: str = "p") -> str:
    with pytest.raises(BadInput) as caught:
        load(path, name)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "there is no such policy file"),
        ("def p(:", "is not valid Python"),
        ("x = '\0'", "is not valid Python"),
        (b"x = '\xff'", "is not valid Python: 'utf-8' codec can't decode byte 0xff in position 5"),
        ("(" * 5_000, "is not valid Python: too many nested parentheses"),
        (f"x = {'-' * 50_000}1", "is not valid Python: "),
        (f"x = 1{' + 1' * 50_000}", "is not valid Python: it is nested too deeply"),
        (f"x = '{'a' * 1_000_000}'", "is larger than 1,000,000 bytes, which a policy's file may have"),
        ("from . import nearby", "line 1: import the module by its name"),
        ("x = 1", "has no policy 'p': use there is none"),
        ("import os\n1 / 0", "cannot be imported: ZeroDivisionError: division by zero (wrong.py, line 2)"),
        ("import wrong\nwrong.x", "cannot be imported: AttributeError: partially initialized module 'wrong'"),
        (f"import {'a' * 300}", "cannot be imported: ModuleNotFoundError: No module named 'aaa"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, text: str | bytes | None, message: str) -> None:
    file = tmp_path / "wrong.py"
    if text is not None:
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert refusal(file).startswith((f"{file}: {message}", f"wrong.py: {message}"))


def test_a_path_that_leads_to_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "loop.py").symlink_to(tmp_path / "loop.py")
    (tmp_path / "device.py").symlink_to("/dev/zero")
    for path, message in [
        (tmp_path / "pipe.py", "is no file of Python"),
        (tmp_path / "folder.py", "cannot be read: Is a directory"),
        (tmp_path / "device.py", "is no file of Python"),
        (tmp_path / "loop.py", "cannot be read: Too many levels of symbolic links"),
        (tmp_path / f"{'a' * 300}.py", "cannot be read: File name too long"),
        (tmp_path / "no\0name.py", "there is no such policy file: a path has no NUL"),
    ]:
        assert message in refusal(path)
    (tmp_path / "two.names.py").write_text("")
    assert "two.names.py: a policy's file has no dot in its name but that of .py" in refusal(tmp_path / "two.names.py")
    (tmp_path / f"{'a' * 120}.py").write_text("")
    assert "a policy's file has a name of at most 100 bytes" in refusal(tmp_path / f"{'a' * 120}.py")


def test_modules_may_import_each_other_in_a_circle_and_be_links(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "helper.py").write_text("import main\nFIVE = 5")
    (tmp_path / "elsewhere" / "file").write_text(
        "\ufeffimport helper\r\nfrom sim.game import Policy\r\np = Policy('p', 1, str(helper.FIVE))"
    )
    (tmp_path / "helper.py").symlink_to("elsewhere/helper.py")
    (tmp_path / "main.py").symlink_to("elsewhere/file")
    found = load(tmp_path / "main.py", "p")
    assert sorted(found.sources) == ["helper.py", "main.py"]
    assert found.policy.summary == "5"


def test_a_package_beside_the_file_belongs_to_the_bundle(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "__init__.py").write_text("")
    (tmp_path / "parts" / "numbers.py").write_text("FIVE = 5")
    file = tmp_path / "mine.py"
    file.write_text("import parts.numbers\nfrom parts.numbers import FIVE\nfrom sim.game import Policy\n"
                    "p = Policy('p', 1, str(FIVE + parts.numbers.FIVE))")  # fmt: skip
    assert sorted(bundle(file)) == ["mine.py", "parts/__init__.py", "parts/numbers.py"]
    assert load(file, "p").policy.summary == "10"


PLAY = """
import json, sys, tomllib
from pathlib import Path
import sim
from sim.game import BLUE, RED, Player, play
from sim.user_policy import load
root = Path(sys.argv[1])
read = lambda path: tomllib.loads((root / path).read_text())
book = sim.rulebook("barbarossa")
texts = map(read, ["configs/scenarios/barbarossa/uranus.toml", "configs/maps/barbarossa/eastern_front.toml",
                   "sim/barbarossa/rules.toml"])
setup, _ = book.load(*texts)
red, blue = book.policy("easy", RED), load(Path(sys.argv[2]), "stubborn").policy
record = play(book, setup, Player(red, red.numbers()), Player(blue, blue.numbers()), 1, range(200))
answer = blue.decisions[4]
print(json.dumps([record.games.blue_territory.tolist(), sum(answer.stats.cache_hits.values()), len(answer.overloads)]))
"""


def test_it_plays_cold_and_cached_and_with_its_helper_edited(policy_file: Path) -> None:
    cold, hits_cold, compiled = in_a_new_process(policy_file)
    assert (hits_cold, compiled) == (0, 1)
    cached, hits_cached, _ = in_a_new_process(policy_file)
    assert cached == cold
    assert hits_cached == 1
    write(policy_file.parent, answer=1)
    edited, hits_edited, _ = in_a_new_process(policy_file)
    assert hits_edited == 0
    assert edited != cold


def in_a_new_process(policy_file: Path) -> tuple[list[int], int, int]:
    run = subprocess.run(
        [sys.executable, "-c", PLAY, str(ROOT), str(policy_file)],
        capture_output=True, text=True, check=True, cwd=ROOT, timeout=300,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return tuple(json.loads(run.stdout))


ANSWER = """
import sys
from pathlib import Path
from numba import types
from sim.compiled import compiled
from sim.user_policy import load
answer = load(Path(sys.argv[1]), "stubborn").policy.decisions[4]
compiled(answer, types.int64(*[types.int64] * 5))
print(answer(0, 0, 0, 0, 0))
"""


def start_answer(policy_file: Path, cache: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", ANSWER, str(policy_file)],
        stdout=subprocess.PIPE, text=True, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "DUOSUAN_CACHE_DIR": str(cache)},
    )  # fmt: skip


def test_no_source_is_run_from_the_cache(policy_file: Path, tmp_path: Path) -> None:
    """There is none: what could be edited there is compiled code."""
    cache = tmp_path / "cache"
    assert start_answer(policy_file, cache).communicate()[0] == "0\n"
    assert {path.suffix for path in cache.rglob("*") if path.is_file()} == {".nbc"}


@pytest.mark.slow
def test_many_processes_start_with_a_new_policy_at_once(policy_file: Path, tmp_path: Path) -> None:
    for number in range(12):
        write(policy_file.parent, answer=number)
        started = [start_answer(policy_file, tmp_path / f"cache{number}") for _ in range(16)]
        assert [process.communicate()[0] for process in started] == [f"{number}\n"] * 16


SAME_LINE = """
from numba import njit
from sim.game import Policy
lines = [njit(cache=True)(f) for f in (lambda a: 1, lambda a: 2, lambda a: a.real, lambda a: a.imag)]
for number in (3, 4):
    exec(f"@njit(cache=True)\\ndef f(a): return {number}")
    lines.append(f)
for number in (5, 6):
    names = {"njit": njit, "NUMBER": number, "__name__": __name__}
    exec("@njit(cache=True)\\ndef f(a): return NUMBER", names)
    lines.append(names["f"])
p = Policy("p", 1, "", tuple(lines))
"""


def test_functions_of_one_line_are_not_taken_for_each_other(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SAME_LINE)
    assert [decide(7) for decide in load(tmp_path / "mine.py", "p").policy.decisions] == [1, 2, 7, 0, 3, 4, 5, 6]

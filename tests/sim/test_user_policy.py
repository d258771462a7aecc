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


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (None, "p", "there is no such policy file"),
        ("def p(:", "p", "is not valid Python"),
        ("from . import nearby", "p", "line 1: import the module by its name"),
        ("x = 1", "p", "has no policy 'p': use there is none"),
        ("import os\n1 / 0", "p", "cannot be imported: ZeroDivisionError: division by zero (wrong.py, line 2)"),
        ("import sys\nsys.exit()", "p", "wrong.py: cannot be imported: SystemExit (wrong.py, line 2)"),
        ("import sys\nsys.exit(0)", "p", "wrong.py: cannot be imported: SystemExit: 0 (wrong.py, line 2)"),
        ("import sys\nsys.exit('no\\nluck')", "p", "cannot be imported: SystemExit: no luck (wrong.py, line 2)"),
        ("raise GeneratorExit", "p", "cannot be imported: GeneratorExit (wrong.py, line 1)"),
        ("class Odd(BaseException): pass\nraise Odd(3)", "p", "cannot be imported: Odd: 3 (wrong.py, line 2)"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, text: str | None, name: str, message: str) -> None:
    file = tmp_path / "wrong.py"
    if text is not None:
        file.write_text(text)
    with pytest.raises(BadInput) as caught:
        load(file, name)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_ctrl_c_while_it_is_imported_is_nobodys_fault(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        load(tmp_path / "slow.py", "p")


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
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-c", PLAY, str(root), str(policy_file)],
        capture_output=True, text=True, check=True, cwd=root, timeout=300,
        env={**os.environ, "PYTHONPATH": str(root)},
    )  # fmt: skip
    return tuple(json.loads(run.stdout))

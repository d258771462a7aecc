"""Golden games are played again and compared line by line."""

import pytest

from tests.golden.telling import FOLDER, GOLDEN, told


@pytest.mark.parametrize("name", GOLDEN)
def test_the_game_is_as_it_was(name):
    """`python -m tests.golden.telling` writes all of them anew; say why in the changelog."""
    kept = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    turn = ""
    for number, (line, before) in enumerate(zip(told(*GOLDEN[name]), kept, strict=True), 1):
        turn = line if line and not line.startswith((" ", "#")) else turn
        assert line == before, f"{name}.txt line {number}, in {turn}"


def test_every_file_is_one_of_a_golden_game():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GOLDEN)

"""What there is to play, found by its name."""

from pathlib import Path

from cluster import library

MAP = library.configs() / "maps/barbarossa/eastern_front.toml"
SCENARIO = library.configs() / "scenarios/barbarossa/uranus.toml"


def test_a_scenario_may_have_the_name_of_its_map(tmp_path: Path):
    (tmp_path / "eastern_front.toml").write_text(SCENARIO.read_text("utf-8"), "utf-8")
    ref = library.find_scenario("eastern_front.toml", tmp_path)
    assert library.documents(ref).board["regions"]


def test_a_map_beside_the_scenario_goes_before_a_built_in_one(tmp_path: Path):
    (tmp_path / "mine.toml").write_text(SCENARIO.read_text("utf-8"), "utf-8")
    (tmp_path / "eastern_front.toml").write_text(MAP.read_text("utf-8") + "\n[nearby]\n", "utf-8")
    ref = library.find_scenario("mine.toml", tmp_path)
    assert "nearby" in library.documents(ref).board

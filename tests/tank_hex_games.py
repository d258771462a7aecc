"""Games of Tank Hex for the tests that all rulebooks share (`tests.rulebooks`)."""

from pathlib import Path

from tests.matches import Match

ANYTHING = f"{Path(__file__).with_name('wild_tank_hex.py')}:WILD"
"""A policy that does anything, also what is not legal."""

WILD = [
    Match.of(scenario, ANYTHING, ANYTHING, **options)
    for scenario, options in (
        ("tank_hex/meeting_engagement", {}),
        ("tank_hex/village_assault", {"moved_may_react": True, "reshuffle": True}),
        ("tank_hex/village_assault", {"close_combat_phase": "events", "minimum_level": 1}),
        ("tank_hex/river_crossing", {"rings_linger": True, "suppression_until": "next_turn"}),
        ("tank_hex/random_3", {"close_combat_phase": "events", "rings_linger": True}),
    )
]
SHORT = (("scenario.turn_limit", 3),)
GOLDEN = {"tank_hex_village": (Match("tank_hex/village_assault", "balanced", "static_defence"), 9)}
EXPERIMENT = f"""
[[play]]
scenarios = ["tank_hex/village_assault", "tank_hex/random_7"]
red = ["{ANYTHING}"]
blue = ["{ANYTHING}"]
"""
REPLAYED = Match("tank_hex/river_crossing", "random", "static_defence")

"""Games of Barbarossa Solitaire for the tests that all rulebooks share (`tests.rulebooks`)."""

from pathlib import Path

from tests.matches import Match

ANYTHING = f"{Path(__file__).with_name('wild.py')}:WILD"
"""A policy that does anything legal."""

WILD = [
    Match.of(scenario, red, ANYTHING, **options)
    for scenario, red, options in (
        ("barbarossa/barbarossa", "easy", {}),
        ("barbarossa/barbarossa", "medium", {"vacated": "phase_end", "lone_unit_may_attack": False}),
        ("barbarossa/barbarossa", "random", {"vacated": "garrison", "five": "two_attacks"}),
        ("barbarossa/barbarossa", "easy", {"flexible_deployment": True, "eager_allies": True, "fuhrer_order": True}),
        ("barbarossa/blue", "no_purge", {}),
        ("barbarossa/blue", "easy", {"vacated": "phase_end", "second_name": "when_first_is_soviet"}),
        ("barbarossa/uranus", "difficult", {}),
        ("barbarossa/uranus", "easy", {"vacated": "garrison", "fuhrer_order": True}),
    )
]
SHORT = ()
GOLDEN = {
    "barbarossa_campaign": (Match("barbarossa/barbarossa", "medium", "steady"), 0),
    "barbarossa_blue": (Match("barbarossa/blue", "easy", "steady"), 1),
    "barbarossa_uranus": (Match("barbarossa/uranus", "difficult", "hold"), 2),
}
EXPERIMENT = """
[[play]]
scenarios = ["barbarossa/blue"]
red = ["easy", "medium"]
blue = ["hold"]
"""
REPLAYED = Match("barbarossa/blue", "medium", "steady")

"""Games of Brandubh for the tests that all rulebooks share (`tests.rulebooks`)."""

from tests.matches import Match

WILD = [
    Match.of("brandubh/cross", "random", "random", **options)
    for options in (
        {"throne_passage": False, "king_returns": False},
        {"king_armed": False, "throne_hostile": False},
    )
]
SHORT = (("scenario.turn_limit", 6),)
GOLDEN = {"brandubh_cross": (Match("brandubh/cross", "greedy", "greedy"), 4)}
EXPERIMENT = """
[[play]]
scenarios = ["brandubh/cross"]
red = ["random", "greedy"]
blue = ["greedy"]
"""
REPLAYED = Match("brandubh/cross", "greedy", "greedy")

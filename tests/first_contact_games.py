"""Games of First Contact for the tests that all rulebooks share (`tests.rulebooks`)."""

from tests.matches import Match

FORWARD = (("scenario.deployment.red", "forward_farm"), ("scenario.deployment.blue", "northern_road"))
"""Settings with which the armour soon meets."""

WILD = [
    Match.of("first_contact/prokhorovka", "random", "random", **options)
    for options in (
        {"first_mover": "die", "casualties": "share", "armour_basis": "nominal"},
        {"first_mover": "soviet", "casualty_roll": "shot", "fire_roll": "none"},
        {"movement_dice": 1, "casualties": "share", "casualty_roll": "shot"},
    )
]
SHORT = (("rules.setting.turns", 2),)
GOLDEN = {
    "first_contact_farm": (
        Match("first_contact/prokhorovka", "combined", "assault", (*FORWARD, ("rules.setting.turns", 5))),
        3,
    )
}
EXPERIMENT = """
[[play]]
scenarios = ["first_contact/prokhorovka"]
red = ["random"]
blue = ["random"]

# Here the armour soon meets.
[play.factors]
"scenario.deployment.red" = ["forward_farm"]
"scenario.deployment.blue" = ["northern_road"]
"""
REPLAYED = Match("first_contact/prokhorovka", "random", "random")

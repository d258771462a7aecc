"""What a side is shown of cards and batteries: its own (TH-7.2)."""

from sim.compiled import inner_njit
from sim.tank_hex.state import NOWHERE


@inner_njit
def show(game, seen, side):
    """TH-7.2: writes what a side knows of cards and batteries into a record of `HIDDEN`; the enemy's row is empty."""
    seen[0] = game.hidden
    shown = seen[0]
    enemy = 1 - side
    shown.card[enemy] = NOWHERE
    shown.drawn[enemy] = NOWHERE
    shown.deck[enemy] = NOWHERE
    shown.cards_drawn[enemy] = NOWHERE
    for slot in range(shown.battery.shape[1]):
        shown.battery[enemy, slot] = NOWHERE
        shown.aim[enemy, slot] = NOWHERE
        shown.due[enemy, slot] = 0

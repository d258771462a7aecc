"""Chapter 7, first part: random event cards (TH-7.1)."""

from sim.compiled import inner_njit
from sim.tank_hex.rules.game import note
from sim.tank_hex.state import CARD_PLAYED, CARDS, FIREPOWER, NOWHERE, RAPID_LOADING, REACTIVE_ARMOUR, REPAIR

N_CARDS = len(CARDS)


@inner_njit
def has_card(game, side, card):
    """TH-7.1: whether a card acts for a side this turn; a policy sees this of its own side alone."""
    return game.hidden.card[side] == card


@inner_njit
def may_play(game, side, card):
    """TH-7.1: whether a card that is played once has not been used yet."""
    return has_card(game, side, card) and game.state.sides[side].card_uses == 0


@inner_njit
def may_play_firepower(game, side):
    """TH-7.1: whether a side may add to one shot with its declaration."""
    return may_play(game, side, FIREPOWER)


@inner_njit
def may_load_rapidly(game, side):
    """TH-7.1: whether the last tank that a side names in the fire phase may fire twice."""
    return may_play(game, side, RAPID_LOADING)


@inner_njit
def may_repair(game, side, unit):
    """TH-7.1: at the start of the turn one own tank loses F or M."""
    tank = game.state.units[unit]
    return (
        may_play(game, side, REPAIR)
        and tank.side == side
        and tank.hex != NOWHERE
        and (tank.fire_kill == 1 or tank.mobility_kill == 1)
    )


@inner_njit
def repair(game, unit):
    """TH-7.1: a tank loses F or M; it never has both (TH-4.8)."""
    tank = game.state.units[unit]
    tank.fire_kill = 0
    tank.mobility_kill = 0


@inner_njit
def may_brace(game, side, result):
    """TH-7.1: whether reactive armour may lower a result: any enemy fire, close combat and shells."""
    return result > 0 and may_play(game, side, REACTIVE_ARMOUR)


@inner_njit
def braced(game, result):
    """TH-7.1: a result one step down: K, M, F, S, none."""
    return max(result - game.rules.reactive_armour, 0)


@inner_njit
def use_card(game, side, card, unit):
    """TH-7.1: a card is used, once more if it may be used several times; ``unit`` is the tank that gains by it."""
    game.state.sides[side].card_uses += 1
    event = note(game, CARD_PLAYED, side, unit, NOWHERE)
    if event >= 0:
        game.log.events[event].card = card


@inner_njit
def cards_left(game, side):
    """TH-7.1: cards of the deck that may still be drawn; under the option ``reshuffle`` a spent deck is made anew."""
    hidden = game.hidden
    if _in_deck(hidden.deck[side]) == 0 or hidden.cards_drawn[side] >= game.rules.cards[side]:
        if game.rules.reshuffle == 0:
            return 0
        hidden.deck[side] = game.rules.full_deck[side]
        hidden.cards_drawn[side] = 0
        if game.rules.cards[side] == 0:
            return 0
    return _in_deck(hidden.deck[side])


@inner_njit
def _in_deck(deck):
    count = 0
    for card in range(N_CARDS):
        count += (deck >> card) & 1
    return count


@inner_njit
def draw(game, side, die):
    """TH-7.1: a side draws one of the cards left, by a die with as many faces; it acts in the next turn."""
    hidden = game.hidden
    for card in range(N_CARDS):
        if (hidden.deck[side] >> card) & 1 == 1:
            die -= 1
            if die == 0:
                hidden.deck[side] -= 1 << card
                hidden.cards_drawn[side] += 1
                hidden.drawn[side] = card
                return card
    return NOWHERE


@inner_njit
def exchange(game, side, gives, takes):
    """TH-7.1: a reward: a card still in the deck is exchanged for one that is not; True if it was."""
    deck = game.hidden.deck[side]
    if (deck >> gives) & 1 == 0 or (deck >> takes) & 1 == 1:
        return False
    game.hidden.deck[side] = deck - (1 << gives) + (1 << takes)
    return True


@inner_njit
def turn_cards_over(game):
    """TH-7.1: the cards drawn in the turn before act in this one, those that acted lapse."""
    for side in range(2):
        game.hidden.card[side] = game.hidden.drawn[side]
        game.hidden.drawn[side] = NOWHERE
        game.state.sides[side].card_uses = 0

"""The policies that come with Tank Hex, in the order in which they are listed."""

from sim.tank_hex.policies.balanced import BALANCED
from sim.tank_hex.policies.brawler import BRAWLER
from sim.tank_hex.policies.overwatch import OVERWATCH
from sim.tank_hex.policies.random import RANDOM
from sim.tank_hex.policies.rush import RUSH
from sim.tank_hex.policies.sniper import SNIPER
from sim.tank_hex.policies.static_defence import STATIC_DEFENCE

POLICIES = (RANDOM, STATIC_DEFENCE, RUSH, OVERWATCH, SNIPER, BRAWLER, BALANCED)

"""The policies that come with Tank Hex, in the order in which they are listed."""

from sim.tank_hex.policies.random import RANDOM
from sim.tank_hex.policies.static_defence import STATIC_DEFENCE

POLICIES = (RANDOM, STATIC_DEFENCE)

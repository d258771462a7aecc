"""The policies of Tank Hex, one a file. To add one, copy its nearest neighbour and add it here."""

import sim.tank_hex.policies.balanced as balanced
import sim.tank_hex.policies.brawler as brawler
import sim.tank_hex.policies.overwatch as overwatch
import sim.tank_hex.policies.random as random
import sim.tank_hex.policies.rush as rush
import sim.tank_hex.policies.sniper as sniper
import sim.tank_hex.policies.static_defence as static_defence

POLICIES = tuple(module.POLICY for module in (random, static_defence, rush, overwatch, sniper, brawler, balanced))

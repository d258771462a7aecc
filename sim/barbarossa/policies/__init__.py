"""The Axis policies of Barbarossa Solitaire, one a file. To add one, copy its nearest neighbour and add it here."""

import sim.barbarossa.policies.beeline as beeline
import sim.barbarossa.policies.blitz as blitz
import sim.barbarossa.policies.elastic as elastic
import sim.barbarossa.policies.encircle as encircle
import sim.barbarossa.policies.hold as hold
import sim.barbarossa.policies.lookahead as lookahead
import sim.barbarossa.policies.random as random
import sim.barbarossa.policies.steady as steady

POLICIES = tuple(module.POLICY for module in (hold, random, blitz, encircle, steady, elastic, beeline, lookahead))

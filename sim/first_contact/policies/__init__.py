"""The policies of First Contact, one a file. To add one, copy its nearest neighbour and add it here."""

import sim.first_contact.policies.advance as advance
import sim.first_contact.policies.assault as assault
import sim.first_contact.policies.combined as combined
import sim.first_contact.policies.flank as flank
import sim.first_contact.policies.hold as hold
import sim.first_contact.policies.random as random
import sim.first_contact.policies.standoff as standoff

POLICIES = tuple(module.POLICY for module in (hold, random, advance, assault, standoff, flank, combined))

"""The policies of First Contact, one a file. To add one, copy its nearest neighbour and add it here."""

import sim.first_contact.policies.hold as hold
import sim.first_contact.policies.random as random

POLICIES = (hold.POLICY, random.POLICY)
"""All of them, in the order in which they are listed."""

"""State of a game of First Contact: every field, its unit and its empty value."""

import numpy as np

from sim.fields import numbered

NOWHERE = np.int64(-1)  # cell of a unit that is not on the map; number of a trench or an objective that is none

# What a cell is (chapter 6). A trench, a barn and a house replace the terrain that they lie in (FC-6.8).
TERRAINS = ("plain", "forest", "hill", "road", "barn", "house", "haystack", "trench")
PLAIN, FOREST, HILL, ROAD, BARN, HOUSE, HAYSTACK, TRENCH = numbered(TERRAINS)

# The three trenches (FC-6.8): the German one on the edge of the forest, the Soviet ones on the hills.
TRENCHES = ("west_trench", "middle_trench", "top_trench")
WEST_TRENCH, MIDDLE_TRENCH, TOP_TRENCH = numbered(TRENCHES)

# FC-11.2
OBJECTIVES = ("farm", "middle_trench", "top_trench")
FARM, MIDDLE_OBJECTIVE, TOP_OBJECTIVE = numbered(OBJECTIVES)

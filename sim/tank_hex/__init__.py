"""Tank Hex: single tanks on a hexagon map, by turns of fire and movement, with random event cards."""

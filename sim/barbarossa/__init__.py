"""Barbarossa Solitaire (David Kershaw, 2002): the Axis against a Soviet side run by dice, 1941 to 1945."""

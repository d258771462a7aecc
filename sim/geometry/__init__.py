"""Geometry that more than one rulebook can use."""

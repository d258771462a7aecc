"""The rules of Barbarossa Solitaire, one function for a clause, a module for a chapter.

All functions are compiled. A die is an argument; who rolls it is the business of `sim.barbarossa.turn`.
"""

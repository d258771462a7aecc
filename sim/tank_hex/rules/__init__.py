"""The rules of Tank Hex, one function for a clause, a module for a chapter.

All functions are compiled. A die is an argument; who rolls it is the business of `turn` and of what it calls.
"""

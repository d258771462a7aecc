"""Supply (BB-3.3) as slowly and obviously as it can be said."""


def cut_off(soviet: set[int], sources: set[int], links: list[set[int]]) -> set[int]:
    """Soviet regions without a path of Soviet regions to a source; ``links`` joins by line or by sea."""
    supplied = soviet & sources
    while True:
        reached = {place for place in soviet if links[place] & supplied} | supplied
        if reached == supplied:
            return soviet - supplied
        supplied = reached

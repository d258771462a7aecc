"""Graphs against slow, obvious twins."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sim.geometry.graph import NOWHERE, distances, neighbour_table


@st.composite
def graphs(draw):
    n = draw(st.integers(1, 12))
    pairs = list(itertools.combinations(range(n), 2))
    return n, draw(st.lists(st.sampled_from(pairs), max_size=30)) if pairs else []


def naive_distances(n: int, links: list[tuple[int, int]]) -> np.ndarray:
    """Floyd and Warshall."""
    far = 10**6
    result = np.where(np.eye(n, dtype=bool), 0, far)
    for a, b in links:
        result[a, b] = result[b, a] = 1
    for middle in range(n):
        for a in range(n):
            for b in range(n):
                result[a, b] = min(result[a, b], result[a, middle] + result[middle, b])
    return np.where(result >= far, NOWHERE, result)


@given(graphs())
def test_neighbours_are_the_ends_of_links(graph):
    n, links = graph
    table = neighbour_table(n, links)
    assert table.dtype == np.int64
    for place in range(n):
        expected = {b for a, b in links if a == place} | {a for a, b in links if b == place}
        row = table[place].tolist()
        assert row[: len(expected)] == sorted(expected)
        assert row[len(expected) :] == [NOWHERE] * (len(row) - len(expected))
        assert row[-1] == NOWHERE


@given(graphs())
def test_distances_are_the_fewest_lines(graph):
    n, links = graph
    result = distances(neighbour_table(n, links))
    assert (result == naive_distances(n, links)).all()


def test_places_without_a_link():
    assert neighbour_table(2, []).tolist() == [[NOWHERE], [NOWHERE]]
    assert distances(neighbour_table(2, [])).tolist() == [[0, NOWHERE], [NOWHERE, 0]]
    assert neighbour_table(0, []).shape == (0, 1)

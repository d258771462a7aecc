import numpy as np
import pytest


@pytest.fixture(autouse=True)
def wrapping_words():
    """The dice's uint64 arithmetic wraps by design; with the compiler off NumPy warns of it (see `sim.game.play`)."""
    with np.errstate(over="ignore"):
        yield

"""Command lines as they are typed, and a small archive for them."""

import re

import pytest

from cluster import cli
from tests.small_archives import SmallExperiment

STUCK = """
from numba import njit
from sim.barbarossa.policies.hold import POLICY as HOLD

@njit(cache=True)
def nowhere(game, doctrine, memory, subject, order):
    order[0] = 99
    return 0

decisions = (HOLD.decisions[0], nowhere, *HOLD.decisions[2:])
STUCK = HOLD._replace(name="stuck", decisions=decisions)
"""
"""A user's policy file: its policy STUCK holds, but moves to where there is nothing."""


class Typed:
    """What came of a line that was typed: exit code, stdout, stderr."""

    def __init__(self, code, out, err):
        self.code = code
        self.out = out
        self.err = err


@pytest.fixture
def duosuan(capsys):
    """Types a command line; in this process, so that only the first game of a run has to be loaded."""

    def typed(*words, code=0):
        found = Typed(cli.run([str(word) for word in words]), *capsys.readouterr())
        assert found.code == code, found.err
        if code:
            assert found.out == ""
            assert re.fullmatch(r"error: [^\n]+\n", found.err)
        return found

    return typed


@pytest.fixture
def archive(tmp_path):
    experiment = SmallExperiment(tmp_path / "archive", "demo", cells=2, replications=2)
    win = {"winner": "blue", "outcome": "axis_minor", "margin": 1}
    experiment.shard(games=[{"replication": 0}, {"replication": 1, **win}, {"cell": 1, "replication": 0}])
    return experiment.folder.parent

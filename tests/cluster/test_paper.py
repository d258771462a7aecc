"""What the README says of a billion games is what the arithmetic says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_readme_has_the_paper():
    command = [sys.executable, "tests/benchmarks/billion.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=True)
    readme = (ROOT / "cluster" / "README.md").read_text()
    (paper,) = re.findall(r"```\n(1,000,000,000 games.*?)\n```", readme, re.DOTALL)
    assert done.stdout.rstrip() == paper

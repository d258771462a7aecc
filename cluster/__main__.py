"""``python -m cluster`` is ``duosuan``."""

from cluster.cli import main

main()

"""What the tables of strengths have in common: the payoff of a player of blue and its interval."""

from typing import Any

import queries

PAYOFF = "avg(case winner when 'blue' then 1.0 when 'draw' then 0.5 else 0.0 end) as payoff"
"""P(victory) + P(draw) / 2."""

INTERVAL = """(payoff + 1.9208 / n) / (1 + 3.8416 / n) as middle,
    1.96 / (1 + 3.8416 / n) * sqrt(payoff * (1 - payoff) / n + 0.9604 / (n * n)) as half"""
"""Of `PAYOFF` in n games: 95 % interval (Wilson, of which a draw is half a success)."""


def rows_of(archive: str, question: str) -> list[dict[str, Any]]:
    """The answer to a question in SQL."""
    with queries.open(archive) as opened:
        return opened.sql(question).to_arrow_table().to_pylist()

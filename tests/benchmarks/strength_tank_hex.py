"""The tables of strengths in sim/tank_hex/README.md, from an archive of configs/experiments/tank_hex_strength.toml.

``python tests/benchmarks/strength_tank_hex.py ARCHIVE`` prints them: for each scenario red's payoff, P(victory) +
P(draw) / 2, a row for each policy of red, a column for each of blue, and the widest of the 95 % intervals.
"""

import sys

from strength import INTERVAL, PAYOFF, rows_of

QUESTION = f"""
with cells as (
    select scenario, red_policy, blue_policy, count(*) as n, {PAYOFF}
    from games where end_reason <> 'failed' group by all
)
select *, {INTERVAL} from cells order by scenario
"""
POLICIES = ("random", "static_defence", "rush", "overwatch", "sniper", "brawler", "balanced")


def main() -> None:
    """Prints the tables in Markdown."""
    rows = rows_of(sys.argv[1], QUESTION)
    for scenario in dict.fromkeys(row["scenario"] for row in rows):
        here = {(row["red_policy"], row["blue_policy"]): row for row in rows if row["scenario"] == scenario}
        widest = max(row["half"] for row in here.values())
        print(f"\n**{scenario}**, {next(iter(here.values()))['n']:,} games a cell, ± {widest:.3f} at most\n")
        print(f"| red, below; blue, right | {' | '.join(POLICIES)} | mean |")
        print("|---" * (len(POLICIES) + 2) + "|")
        for red in POLICIES:
            payoffs = [1.0 - here[red, blue]["payoff"] for blue in POLICIES]
            mean = sum(payoffs) / len(payoffs)
            print(f"| {red} | {' | '.join(f'{payoff:.2f}' for payoff in payoffs)} | {mean:.2f} |")


if __name__ == "__main__":
    main()

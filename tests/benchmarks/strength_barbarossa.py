"""The table of strengths in sim/barbarossa/README.md, from an archive of configs/experiments/barbarossa_strength.toml.

``python tests/benchmarks/strength_barbarossa.py ARCHIVE`` prints it: for each scenario and difficulty the payoff of
each Axis policy, P(victory) + P(draw) / 2, the mean number of Axis regions at the end, both with 95 % intervals
(Wilson for the payoff, of which a draw is half a success; normal for the mean), and the share of each outcome.
"""

import sys

from strength import INTERVAL, PAYOFF, rows_of

QUESTION = f"""
with cells as (
    select scenario, red_policy, blue_policy, count(*) as n,
        {PAYOFF},
        avg(blue_territory) as regions, stddev_samp(blue_territory) as spread,
        avg((outcome = 'soviet_major')::int) as soviet_major, avg((outcome = 'soviet_minor')::int) as soviet_minor,
        avg((outcome = 'draw')::int) as draw, avg((outcome = 'axis_minor')::int) as axis_minor,
        avg((outcome = 'axis_major')::int) as axis_major
    from games where end_reason <> 'failed' group by all
)
select *, {INTERVAL},
    1.96 * spread / sqrt(n) as half_regions
from cells order by scenario, red_policy, payoff desc
"""


def main() -> None:
    """Prints the table in Markdown."""
    rows = rows_of(sys.argv[1], QUESTION)
    before = None
    for row in rows:
        if row["scenario"] != before:
            before = row["scenario"]
            print(f"\n**{before}**, {row['n']:,} games a row\n")
            print("| difficulty | policy | payoff | Axis regions | Soviet major, minor | draw | Axis minor, major |")
            print("|---|---|---|---|---|---|---|")
        print(
            f"| {row['red_policy']} | {row['blue_policy']} | {row['payoff']:.3f} "
            f"({max(row['middle'] - row['half'], 0):.3f} to {row['middle'] + row['half']:.3f}) "
            f"| {row['regions']:.2f} ± {row['half_regions']:.2f} "
            f"| {row['soviet_major']:.1%}, {row['soviet_minor']:.1%} | {row['draw']:.1%} "
            f"| {row['axis_minor']:.1%}, {row['axis_major']:.1%} |"
        )


if __name__ == "__main__":
    main()

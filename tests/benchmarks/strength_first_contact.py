"""The matrix in sim/first_contact/README.md, from an archive of configs/experiments/first_contact_strength.toml.

``python tests/benchmarks/strength_first_contact.py ARCHIVE`` prints it, German policies down, Soviet ones across: in
each cell the German payoff, P(victory) + P(draw) / 2, and below it the mean number of objectives in German hands at
the end; men lost and vehicles lost on both sides and the exchange of vehicles in two more tables. Then the widest 95 %
interval of a payoff (Wilson).
"""

import sys
from collections.abc import Callable
from typing import Any

from strength import INTERVAL, PAYOFF, rows_of

QUESTION = f"""
with cells as (
    select red_policy, blue_policy, count(*) as n, {PAYOFF}, avg(blue_objectives) as objectives,
        avg(red_men_lost) as red_men, avg(blue_men_lost) as blue_men,
        avg(red_armour_lost) as red_armour, avg(blue_armour_lost) as blue_armour
    from games where end_reason <> 'failed' group by all
)
select *, {INTERVAL} from cells
"""
ORDER = ("random", "hold", "advance", "assault", "standoff", "flank", "combined")
Row = dict[str, Any]


def exchange(row: Row) -> str:
    """Soviet vehicles lost for each German one."""
    return f"{row['red_armour'] / row['blue_armour']:.1f}" if row["blue_armour"] else "none lost"


TABLES: tuple[tuple[str, Callable[[Row], str]], ...] = (
    ("German payoff, objectives", lambda row: f"{row['payoff']:.2f}, {row['objectives']:.1f}"),
    ("men lost, Soviet and German", lambda row: f"{row['red_men']:.0f}, {row['blue_men']:.0f}"),
    (
        "vehicles lost, Soviet and German, and their ratio",
        lambda row: f"{row['red_armour']:.1f}, {row['blue_armour']:.1f}: {exchange(row)}",
    ),
)


def main() -> None:
    """Prints the tables in Markdown."""
    rows = {(row["blue_policy"], row["red_policy"]): row for row in rows_of(sys.argv[1], QUESTION)}
    for title, cell in TABLES:
        print(f"\n**{title}**\n")
        print("| German \\ Soviet | " + " | ".join(f"`{red}`" for red in ORDER) + " |")
        print("|---|" + "---|" * len(ORDER))
        for blue in ORDER:
            print(f"| `{blue}` | " + " | ".join(cell(rows[blue, red]) for red in ORDER) + " |")
    games = {row["n"] for row in rows.values()}
    widest = max(row["half"] for row in rows.values())
    print(f"\nGames a cell: {min(games)}; a payoff is exact to ± {widest:.2f} at most.")


if __name__ == "__main__":
    main()

-- How do games end, by level of victory?
--
-- Grain: one row for each cell and outcome; outcomes that a rulebook's games never had anywhere are not listed.
-- Measure: games with this outcome / games of the cell, with Wilson's 95 % interval.
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   outcome: level of victory, from the best for red to the best for blue
--   games: games of the cell that came to an end
--   n: of those with this outcome
--   share, low, high: n / games with its interval
-- Example: duosuan query outcomes ARCHIVE --param blue_policy=steady
with levels as (
    select rulebook, outcome, avg(margin) as rank from games where outcome is not null group by all
),
counted as (
    select experiment, cell, outcome, count(*) as n from games group by all
),
totals as (
    select experiment, rulebook, cell, count(*) as games from games group by all
)
select
    chosen.*,
    levels.outcome,
    totals.games,
    coalesce(counted.n, 0) as n,
    share(coalesce(counted.n, 0), totals.games) as share,
    wilson_low(coalesce(counted.n, 0), totals.games) as low,
    wilson_high(coalesce(counted.n, 0), totals.games) as high
from chosen_cells($scenario, $red_policy, $blue_policy) as chosen
join totals using (experiment, cell)
join levels on levels.rulebook = totals.rulebook
left join counted
    on counted.experiment = chosen.experiment and counted.cell = chosen.cell and counted.outcome = levels.outcome
order by chosen.experiment, chosen.cell, levels.rank, levels.outcome

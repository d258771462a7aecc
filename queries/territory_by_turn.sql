-- How much of the map does each side hold after each turn?
--
-- Grain: one row for each cell, kind of place, turn and side.
-- Measure: places held; over the games of the cell the mean with its 95 % interval (normal approximation),
--     quantiles, and the mean as a share of all places of the kind.
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
--   side text = null: only this side
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   places_are: what the rulebook's places are: region, sector, objective, square
--   turn: turn of the calendar; the one before the first is the set-up
--   side: side that holds
--   games: games of which the turn is recorded
--   places: places of the map of that kind
--   mean, low, high: mean places held with its interval
--   median, p05, p95: least number that half, 5 %, 95 % of the games do not exceed
--   share: mean / places
-- Example: duosuan query territory_by_turn ARCHIVE --param side=blue
with chosen as (
    from chosen_cells($scenario, $red_policy, $blue_policy)
),
map as (
    select experiment, cell, kind_of_place(rulebook, place) as places_are, count(distinct place) as places
    from territory
    semi join (
        select experiment, cell, min(replication) as replication
        from recorded_games
        semi join chosen using (experiment, cell)
        where recorded <> 'games'
        group by all
    ) using (experiment, cell, replication)
    group by all
),
counted as (
    select
        experiment, cell, turn, side, territory as held,
        -- A1 is the name of a sector, wherever there are any.
        kind_of_place(rulebook, 'A1') as places_are
    from turns
    semi join chosen using (experiment, cell)
    where territory is not null
    union all by name
    select experiment, cell, turn, side, objectives as held, 'objective' as places_are
    from turns
    semi join chosen using (experiment, cell)
    where objectives is not null
),
summed as (
    select
        experiment, cell, places_are, turn, side,
        count(*) as games,
        avg(held) as mean,
        mean_low(held) as low,
        mean_high(held) as high,
        quantile_disc(held, 0.5) as median,
        quantile_disc(held, 0.05) as p05,
        quantile_disc(held, 0.95) as p95
    from counted
    where $side is null or side = $side
    group by all
)
select
    chosen.*, places_are, turn, side, games, places, mean, low, high, median, p05, p95, share(mean, places) as share
from chosen
join summed using (experiment, cell)
join map using (experiment, cell, places_are)
order by experiment, cell, places_are, turn, side

-- What has each side lost by the end of each turn?
--
-- Grain: one row for each cell, side, kind of unit, kind of loss and turn.
-- Measure: losses so far, a unit lost twice counted twice; over the games of the cell the mean with its 95 % interval
--     (normal approximation), and quantiles. By kind of unit only where events are recorded.
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
--   turn integer = null: only this turn
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   side: side that lost
--   kind: kind of unit (Barbarossa: nation), or all
--   loss: dead, wounded, armour_lost or units_lost; a rulebook has those that it knows
--   turn: turn of the calendar; the one before the first is the set-up
--   games: games recorded so far as is needed
--   mean, low, high: mean losses so far with its interval
--   median, p05, p95: least number that half, 5 %, 95 % of the games do not exceed
-- Example: duosuan query casualties ARCHIVE --param scenario=barbarossa/barbarossa --param turn=13
with chosen as (
    from chosen_cells($scenario, $red_policy, $blue_policy)
),
by_side as (
    unpivot (
        select
            experiment, cell, replication, side, 'all' as kind, turn, dead, wounded, armour_lost,
            -- The Soviet side of Barbarossa has no units.
            case when rulebook = 'barbarossa' and side = 'red' then null else losses end as units_lost
        from turns
        semi join chosen using (experiment, cell)
    )
    on dead, wounded, armour_lost, units_lost into name loss value lost
),
kinds as (
    select experiment, cell, unit, any_value(nation) as kind
    from units
    semi join (select experiment, cell, min(replication) as replication from games group by all)
        using (experiment, cell, replication)
    semi join chosen using (experiment, cell)
    where nation is not null
    group by all
),
by_side_summed as (
    select
        experiment, cell, side, kind, loss, turn,
        count(*) as games,
        avg(lost) as mean,
        mean_low(lost) as low,
        mean_high(lost) as high,
        quantile_disc(lost, 0.5) as median,
        quantile_disc(lost, 0.05) as p05,
        quantile_disc(lost, 0.95) as p95
    from by_side
    group by all
),
-- By kind, the number of games with at least k losses says it all: no row for each game, kind and turn is needed.
reached as (
    select experiment, cell, kind, turn, k, count(*) as games
    from (
        select
            events.experiment, events.cell, kinds.kind, turn,
            row_number() over (
                partition by events.experiment, events.cell, replication, kinds.kind order by turn, seq
            ) as k
        from events
        join kinds on events.experiment = kinds.experiment and events.cell = kinds.cell and events.actor = kinds.unit
        where events.kind = 'lost'
    )
    group by all
),
full_games as (
    select experiment, cell, count(*) as n
    from recorded_games
    semi join chosen using (experiment, cell)
    where recorded = 'events'
    group by all
),
grid as (
    select distinct experiment, cell, n, kind, turn
    from full_games
    join (select experiment, cell, kind from kinds) using (experiment, cell)
    join (select experiment, cell, turn from by_side_summed) using (experiment, cell)
),
so_far as (
    select grid.*, coalesce(k, 0) as k, coalesce(sum(games), 0) as games
    from grid
    left join reached
        on reached.experiment = grid.experiment and reached.cell = grid.cell
        and reached.kind = grid.kind and reached.turn <= grid.turn
    group by all
),
by_kind_summed as (
    select
        experiment, cell, 'blue' as side, kind, 'units_lost' as loss, turn,
        n as games,
        sum(games) / n as mean,
        -- The sum of squares of the losses is the sum of (2k - 1) over all k that a game has reached.
        sqrt((sum((2 * k - 1) * games) - sum(games) ** 2 / n) / nullif(n - 1, 0)) / sqrt(n) as error,
        mean - z() * error as low,
        mean + z() * error as high,
        count(*) filter (games * 100 > n * 50) as median,
        count(*) filter (games * 100 > n * 95) as p05,
        count(*) filter (games * 100 > n * 5) as p95
    from so_far
    group by experiment, cell, kind, turn, n
),
summed as (
    from by_side_summed
    union all by name
    select * exclude (error) from by_kind_summed
)
select chosen.*, side, kind, loss, turn, games, mean, low, high, median, p05, p95
from chosen
join summed using (experiment, cell)
where $turn is null or turn = $turn
order by experiment, cell, side, kind, loss, turn

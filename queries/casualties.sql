-- What has each side lost by the end of each turn?
--
-- Grain: one row for each cell, side, kind of loss, turn, and what `by` tells apart.
-- Measure: losses so far, a unit lost twice counted twice; over the games of the cell the mean with its 95 % interval
--     (normal approximation), and quantiles. By kind, cause and terrain only where events are recorded.
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
--   turn integer = null: only this turn
--   by text = kind: what to tell apart: kind, cause, terrain, or several with commas between them
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   side: side that lost
--   kind: kind of unit (Barbarossa: nation), or all
--   cause: kind of fire, barrage, melee, rout, crowded_out, or all; null where a rulebook does not record it
--   terrain: terrain in which it was lost, or all; null where a rulebook does not record it
--   loss: dead, wounded (men of squads), armour_lost, crew_lost or units_lost; a rulebook has those that it knows
--   turn: turn of the calendar; the one before the first is the set-up
--   games: games recorded so far as is needed
--   mean, low, high: mean losses so far with its interval
--   median, p05, p95: least number that half, 5 %, 95 % of the games do not exceed
-- Example: duosuan query casualties ARCHIVE --param turn=13 --param by=kind,cause
with chosen as (
    from chosen_cells($scenario, $red_policy, $blue_policy)
),
by_side as (
    unpivot (
        select
            experiment, cell, replication, side, turn, dead, wounded, armour_lost, crew_lost,
            -- Where all units are of one side, the other has none to lose.
            case when coalesce(unit_side(rulebook), side) = side then losses end as units_lost
        from turns
        semi join chosen using (experiment, cell)
    )
    on dead, wounded, armour_lost, crew_lost, units_lost into name loss value lost
),
by_side_summed as (
    select
        experiment, cell, side, 'all' as kind, 'all' as cause, 'all' as terrain, loss, turn,
        count(*) as games,
        avg(lost) as mean,
        mean_low(lost) as low,
        mean_high(lost) as high,
        quantile_disc(lost, [0.5, 0.05, 0.95]) as quantiles,
        quantiles[1] as median,
        quantiles[2] as p05,
        quantiles[3] as p95
    from by_side
    group by all
),
-- Of what is told apart, the number of games with at least k losses says it all: no row for each game and turn is
-- needed. So whoever loses several at once loses them one by one here.
one_by_one as (
    select
        experiment, cell, replication, side, loss, turn,
        told_apart($by, 'kind', kind) as kind,
        told_apart($by, 'cause', cause) as cause,
        told_apart($by, 'terrain', terrain) as terrain,
        unnest(range(lost))
    from losses
    semi join chosen using (experiment, cell)
    where are_known($by, ['kind', 'cause', 'terrain'])
),
-- In which turns a game had its losses, the first at place 1.
in_game as (
    select experiment, cell, replication, side, kind, cause, terrain, loss, list_sort(list(turn)) as turns
    from one_by_one
    group by all
),
reached as (
    select experiment, cell, side, kind, cause, terrain, loss, turn, k, count(*) as games
    from (select *, unnest(turns) as turn, generate_subscripts(turns, 1) as k from in_game)
    group by all
),
full_games as (
    select experiment, cell, count(*) as n
    from recorded_games
    semi join chosen using (experiment, cell)
    where recorded = 'events'
    group by all
),
-- A kind of unit has a row though it lost nothing, where it is the kind alone that is told apart.
apart as (
    select distinct experiment, cell, side, kind, cause, terrain, loss from reached
    union
    select distinct experiment, cell, side, kind, 'all', 'all', loss
    from unit_kinds
    join (select distinct experiment, cell, loss from by_side) using (experiment, cell)
    where $by = 'kind' and kind is not null and (kind = 'squad') = (loss in ('dead', 'wounded'))
),
grid as (
    select apart.*, n, turn
    from apart
    join full_games using (experiment, cell)
    join (select distinct experiment, cell, turn from by_side_summed) using (experiment, cell)
),
so_far as (
    select grid.*, coalesce(k, 0) as k, coalesce(sum(games), 0) as games
    from grid
    left join reached
        on reached.experiment = grid.experiment and reached.cell = grid.cell and reached.side = grid.side
        and reached.loss = grid.loss and reached.turn <= grid.turn
        and reached.kind is not distinct from grid.kind
        and reached.cause is not distinct from grid.cause
        and reached.terrain is not distinct from grid.terrain
    group by all
),
apart_summed as (
    select
        experiment, cell, side, kind, cause, terrain, loss, turn,
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
    group by experiment, cell, side, kind, cause, terrain, loss, turn, n
),
summed as (
    from by_side_summed
    union all by name
    select * exclude (error) from apart_summed
)
select chosen.*, side, kind, cause, terrain, loss, turn, games, mean, low, high, median, p05, p95
from chosen
join summed using (experiment, cell)
where $turn is null or turn = $turn
order by experiment, cell, side, kind, cause, terrain, loss, turn

-- What becomes of each unit? (Barbarossa)
--
-- Grain: one row for each cell and unit.
-- Measure: where the unit is when the game is over, as counts and as a share of the games with Wilson's 95 % interval;
--     how often it was lost, only where events are recorded.
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   unit: unit, by name
--   nation: its nation
--   games: games of which the units are recorded
--   on_map, waiting, gone: games at whose end it stands on the map, waits to come (again), is gone for good
--   on_map_share, on_map_low, on_map_high: on_map / games with its interval
--   full_games: games of which the events are recorded
--   mean_times_lost: how often it was lost in a game, the mean
--   ever_lost: games in which it was lost at least once
--   median_first_lost: turn in which it was lost first, the median of those games
-- Example: duosuan query unit_fates ARCHIVE --param scenario=barbarossa/barbarossa
with last_turns as (
    select experiment, cell, max(turn) as turn from turns group by all
),
fates as (
    select
        experiment, cell, unit,
        any_value(nation) as nation,
        count(*) as games,
        count(*) filter (status = 'on_map') as on_map,
        count(*) filter (status = 'waiting') as waiting,
        count(*) filter (status = 'gone') as gone
    from units
    semi join last_turns using (experiment, cell, turn)
    where rulebook = 'barbarossa' and status is not null
    group by all
),
full_games as (
    select experiment, cell, count(*) as full_games from recorded_games where recorded = 'events' group by all
),
losses_in_game as (
    select experiment, cell, actor as unit, replication, count(*) as times, min(turn) as first_lost
    from events
    where kind = 'lost'
    group by all
),
losses as (
    select
        experiment, cell, unit,
        sum(times) as times,
        count(*) as ever_lost,
        quantile_cont(first_lost, 0.5) as median_first_lost
    from losses_in_game
    group by all
)
select
    chosen.*, unit, nation, games, on_map, waiting, gone,
    share(on_map, games) as on_map_share,
    wilson_low(on_map, games) as on_map_low,
    wilson_high(on_map, games) as on_map_high,
    full_games,
    share(coalesce(times, 0), full_games) as mean_times_lost,
    case when full_games > 0 then coalesce(ever_lost, 0) end as ever_lost,
    median_first_lost
from chosen_cells($scenario, $red_policy, $blue_policy) as chosen
join fates using (experiment, cell)
left join full_games using (experiment, cell)
left join losses using (experiment, cell, unit)
order by experiment, cell, nation, unit

-- Who takes the objectives, and when? (Tank Hex, First Contact)
--
-- Grain: one row for each cell and objective.
-- Measure: games at whose end blue holds the objective / games, with Wilson's 95 % interval; changes of hands from the
--     end of one turn to that of the next.
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   objective: objective, by name
--   first_holder: side that holds it at the start
--   games: games of which the turns are recorded
--   blue_at_end: of those, games at whose end blue holds it
--   blue_share, blue_low, blue_high: blue_at_end / games with its interval
--   taken: games in which it changed hands at least once
--   taken_share, taken_low, taken_high: taken / games with its interval
--   mean_changes: changes of hands in a game, the mean
--   median_first, median_last: turn of its first and of its last change of hands, the median of the games taken
--   blue_turns: share of all turns after which blue holds it, the mean over the games
-- Example: duosuan query objective_control ARCHIVE --param scenario=river_crossing
with held as (
    select
        experiment, cell, replication, place, turn, holder,
        lag(holder) over story as before,
        row_number() over story as number
    from territory
    where kind_of_place(rulebook, place) = 'objective'
    window story as (partition by experiment, cell, replication, place order by turn)
),
in_game as (
    select
        experiment, cell, replication, place,
        arg_min(holder, turn) as first_holder,
        arg_max(holder, turn) = 'blue' as blue_at_end,
        count(*) filter (holder <> before) as changes,
        min(turn) filter (holder <> before) as first_change,
        max(turn) filter (holder <> before) as last_change,
        avg((holder = 'blue')::integer) filter (number > 1) as blue_turns
    from held
    group by all
),
counted as (
    select
        experiment, cell, place as objective,
        any_value(first_holder) as first_holder,
        count(*) as games,
        count(*) filter (blue_at_end) as blue_at_end,
        count(*) filter (changes > 0) as taken,
        avg(changes) as mean_changes,
        quantile_cont(first_change, 0.5) as median_first,
        quantile_cont(last_change, 0.5) as median_last,
        avg(blue_turns) as blue_turns
    from in_game
    group by all
)
select
    chosen.*, objective, first_holder, games, blue_at_end,
    share(blue_at_end, games) as blue_share,
    wilson_low(blue_at_end, games) as blue_low,
    wilson_high(blue_at_end, games) as blue_high,
    taken,
    share(taken, games) as taken_share,
    wilson_low(taken, games) as taken_low,
    wilson_high(taken, games) as taken_high,
    mean_changes, median_first, median_last, blue_turns
from chosen_cells($scenario, $red_policy, $blue_policy) as chosen
join counted using (experiment, cell)
order by experiment, cell, objective

-- How long does ammunition last? (First Contact)
--
-- Grain: one row for each cell, side, kind of unit and turn.
-- Measure: ammunition left to the units that are not lost; over the games of the cell the mean with its 95 % interval
--     (normal approximation), and as a share of what the side was issued.
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
--   turn integer = null: only this turn
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   side: side of the units
--   kind: kind of unit, or all
--   turn: turn; 0 is the set-up
--   games: games of which the units are recorded
--   issued: ammunition of all units of the kind at the start, those to come included
--   left, low, high: mean ammunition left with its interval
--   share_left: left / issued
--   units: units on the map, the mean
--   empty: of those without ammunition, the mean
--   empty_share: empty / units
--   fired: units that fired this turn, the mean
--   suppressing: of those that fired for suppression, the mean
-- Example: duosuan query ammunition ARCHIVE --param turn=15
with in_game as (
    select
        experiment, cell, replication, side, coalesce(kind, 'all') as kind, turn,
        coalesce(sum(ammunition) filter (status <> 'gone'), 0) as ammunition,
        count(*) filter (status = 'on_map') as units,
        count(*) filter (status = 'on_map' and ammunition = 0) as empty,
        count(*) filter (fired <> 'hold') as fired,
        count(*) filter (fired = 'suppress') as suppressing
    from units
    where rulebook = 'first_contact'
    group by grouping sets (
        (experiment, cell, replication, side, kind, turn), (experiment, cell, replication, side, turn)
    )
),
counted as (
    select
        experiment, cell, side, kind, turn,
        count(*) as games,
        avg(ammunition) as left_over,
        mean_low(ammunition) as low,
        mean_high(ammunition) as high,
        avg(units) as units,
        avg(empty) as empty,
        avg(fired) as fired,
        avg(suppressing) as suppressing
    from in_game
    group by all
),
issues as (
    select experiment, cell, side, kind, arg_min(left_over, turn) as issued from counted group by all
)
select
    chosen.*, side, kind, turn, games, issued,
    left_over as "left", low, high,
    share(left_over, issued) as share_left,
    units, empty,
    share(empty, units) as empty_share,
    fired, suppressing
from chosen_cells($scenario, $red_policy, $blue_policy) as chosen
join counted using (experiment, cell)
join issues using (experiment, cell, side, kind)
where $turn is null or turn = $turn
order by experiment, cell, side, kind, turn

-- Who holds each place after each turn, and how surely?
--
-- Grain: one row for each cell, turn and place.
-- Measure: games in which blue holds the place / games, with Wilson's 95 % interval.
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
--   turn integer = null: only this turn
--   place text = null: only this place
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   turn: turn of the calendar; the one before the first is the set-up
--   place: region, sector or objective
--   games: games of which the turn is recorded
--   blue, red: games in which that side holds the place
--   blue_share, blue_low, blue_high: blue / games with its interval
-- Example: duosuan query region_holders ARCHIVE --param place=Stalingrad
with held as (
    select
        experiment, cell, turn, place,
        count(*) as games,
        count(*) filter (holder = 'blue') as blue,
        count(*) filter (holder = 'red') as red
    from territory
    where ($turn is null or turn = $turn) and ($place is null or place = $place)
    group by all
)
select
    chosen.*, turn, place, games, blue, red,
    share(blue, games) as blue_share,
    wilson_low(blue, games) as blue_low,
    wilson_high(blue, games) as blue_high
from chosen_cells($scenario, $red_policy, $blue_policy) as chosen
join held using (experiment, cell)
order by experiment, cell, turn, place

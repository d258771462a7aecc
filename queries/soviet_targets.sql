-- Where do the Soviets attack, and what do they take? (Barbarossa)
--
-- Grain: one row for each cell and region that was attacked.
-- Measure: attacks on the region / Soviet attacks of the cell, and captures / attacks on the region, each with Wilson's
--     95 % interval.
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
--   turn integer = null: only this turn
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   place: region attacked
--   games: games of which the events are recorded
--   all_attacks: Soviet attacks in them
--   attacks: of those on this region
--   share, low, high: attacks / all_attacks with its interval
--   a_game: attacks on this region in a game, the mean
--   captured: attacks after which the region was Soviet
--   capture_rate, capture_low, capture_high: captured / attacks with its interval
-- Example: duosuan query soviet_targets ARCHIVE --param scenario=barbarossa/uranus
with full_games as (
    select experiment, cell, count(*) as games from recorded_games where recorded = 'events' group by all
),
counted as (
    select experiment, cell, place, count(*) as attacks, count(*) filter (captured) as captured
    from events
    where kind = 'soviet_attack' and ($turn is null or turn = $turn)
    group by all
)
select
    chosen.*, place, games,
    sum(attacks) over everywhere as all_attacks,
    attacks,
    share(attacks, sum(attacks) over everywhere) as share,
    wilson_low(attacks, sum(attacks) over everywhere) as low,
    wilson_high(attacks, sum(attacks) over everywhere) as high,
    attacks / games as a_game,
    captured,
    share(captured, attacks) as capture_rate,
    wilson_low(captured, attacks) as capture_low,
    wilson_high(captured, attacks) as capture_high
from chosen_cells($scenario, $red_policy, $blue_policy) as chosen
join counted using (experiment, cell)
join full_games using (experiment, cell)
window everywhere as (partition by experiment, cell)
order by experiment, cell, attacks desc, place

-- How does the morale of the squads develop? (First Contact)
--
-- Grain: one row for each cell, side, turn and level of morale.
-- Measure: squads on the map at this level / squads on the map, over all games of the cell (a ratio of sums).
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
--   side text = null: only this side
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   side: side of the squads
--   turn: turn; 0 is the set-up
--   morale: broken, low, normal or high (FC-9.2)
--   games: games of which the units are recorded
--   squads: squads on the map after the turn, summed over the games
--   n: of those at this level
--   share: n / squads
--   a_game: n / games
-- Example: duosuan query morale ARCHIVE --param side=red
with levels as (
    select unnest(['broken', 'low', 'normal', 'high']) as morale, unnest(range(4)) as rank
),
counted as (
    select
        experiment, cell, side, turn,
        count(distinct replication) as games,
        count(*) filter (status = 'on_map') as squads,
        histogram(morale) filter (status = 'on_map') as at_level
    from units
    where rulebook = 'first_contact' and kind = 'squad' and ($side is null or side = $side)
    group by all
)
select
    chosen.*, side, turn, morale, games, squads,
    coalesce(at_level[morale], 0) as n,
    share(coalesce(at_level[morale], 0), squads) as share,
    coalesce(at_level[morale], 0) / games as a_game
from chosen_cells($scenario, $red_policy, $blue_policy) as chosen
join counted using (experiment, cell)
cross join levels
order by experiment, cell, side, turn, rank

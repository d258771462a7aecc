-- How many does each side destroy for one of its own?
--
-- Grain: one row for each cell, side and kind of loss that the rulebook knows.
-- Measure: losses of the enemy / own losses over all games of the cell (a ratio of sums); 95 % interval by bootstrap
--     over replications, the same draws for all cells, for cells share their dice. Null where the side lost nothing.
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
--   draws integer = 400: draws of the bootstrap
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   side: side whose exchange it is
--   loss: men (dead or wounded men of squads) or armour (vehicles destroyed)
--   games: games that came to an end
--   enemy_lost: lost by the enemy in them
--   own_lost: lost by the side
--   ratio: enemy_lost / own_lost
--   low, high: its interval; null for a bound without end
-- Example: duosuan query loss_exchange_ratio ARCHIVE --param scenario=prokhorovka
with chosen as (
    from chosen_cells($scenario, $red_policy, $blue_policy)
),
lost as (
    select experiment, cell, replication, 'men' as loss, red_men_lost as red, blue_men_lost as blue
    from games
    semi join chosen using (experiment, cell)
    where red_men_lost is not null and blue_men_lost is not null
    union all
    select experiment, cell, replication, 'armour', red_armour_lost, blue_armour_lost
    from games
    semi join chosen using (experiment, cell)
    where red_armour_lost is not null and blue_armour_lost is not null
),
replications as (
    select experiment, max(replication) + 1 as places from lost group by all
),
-- Of each draw, how often each replication is in it. The hash is the seed: the same answer every time.
drawn as (
    select experiment, draw, (md5_number_lower(draw || '/' || slot) % places)::integer as replication, count(*) as times
    from (select experiment, places, unnest(range(places)) as slot from replications), range($draws) as draws (draw)
    group by all
),
drawn_sums as (
    select experiment, cell, loss, draw, sum(times * red) as red, sum(times * blue) as blue
    from lost
    join drawn using (experiment, replication)
    group by all
),
sums as (
    select experiment, cell, loss, count(*) as games, sum(red) as red, sum(blue) as blue from lost group by all
),
by_side as (
    select sums.*, 'blue' as side, red as enemy_lost, blue as own_lost from sums
    union all
    select sums.*, 'red', blue, red from sums
),
bounds as (
    select
        experiment, cell, loss, side,
        quantile_cont(case when own > 0 then enemy / own when enemy > 0 then 'infinity' end, [0.025, 0.975]) as ends
    from (
        select *, 'blue' as side, red as enemy, blue as own from drawn_sums
        union all
        select *, 'red', blue, red from drawn_sums
    )
    group by all
)
select
    chosen.*, side, loss, games, enemy_lost, own_lost,
    share(enemy_lost, own_lost) as ratio,
    case when own_lost > 0 and games > 1 then nullif(ends[1], 'infinity') end as low,
    case when own_lost > 0 and games > 1 and not isnan(ends[2]) then nullif(ends[2], 'infinity') end as high
from chosen
join by_side using (experiment, cell)
join bounds using (experiment, cell, loss, side)
order by experiment, cell, side, loss

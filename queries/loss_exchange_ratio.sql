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
    from (
        select
            experiment, cell, replication,
            unnest(['men', 'armour']) as loss,
            unnest([red_men_lost, red_armour_lost]) as red,
            unnest([blue_men_lost, blue_armour_lost]) as blue
        from games
        semi join chosen using (experiment, cell)
    )
    where red is not null and blue is not null
),
replications as (
    select experiment, 1 + max(replication)::bigint as places from lost group by all
),
-- The replications of each draw, counted from 1. The digest is the seed: the same answer every time. One gives four.
drawn as (
    select experiment, draw, flatten(list([
        1 + (digest & 4294967295)::bigint % places, 1 + (digest >> 32 & 4294967295)::bigint % places,
        1 + (digest >> 64 & 4294967295)::bigint % places, 1 + (digest >> 96)::bigint % places
    ] order by four))[:places] as picked
    from (
        select experiment, places, draw, four, md5_number(draw || '/' || four) as digest
        from (select experiment, places, unnest(range((places + 3) // 4)) as four from replications)
        cross join range($draws) as draws (draw)
    )
    group by experiment, draw, places
),
-- What was lost in every replication, in their order; nothing where a game has not come to an end.
by_replication as (
    select
        experiment, cell, loss,
        list(coalesce(red, 0) order by replication) as red,
        list(coalesce(blue, 0) order by replication) as blue
    from (select distinct experiment, cell, loss from lost)
    join (select experiment, unnest(range(places)) as replication from replications) using (experiment)
    left join lost using (experiment, cell, loss, replication)
    group by all
),
drawn_sums as (
    select
        experiment, cell, loss, draw,
        list_sum([red[number] for number in picked]) as red,
        list_sum([blue[number] for number in picked]) as blue
    from by_replication
    join drawn using (experiment)
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

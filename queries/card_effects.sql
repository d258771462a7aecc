-- What do the random event cards bring? (Tank Hex)
--
-- Grain: one row for each cell, side and card that the side drew.
-- Measure: uses of the card, and what came of the shots and shells that it acted on (TH-7.1 to TH-7.3).
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   side: side that drew the card
--   card: rush, firepower, repair, reactive_armour, rapid_loading, battery_155 or battery_122
--   games: games of which the events are recorded
--   drawn: times that the card was drawn in them
--   used: tanks that rushed, were repaired or saved, shots made stronger, second shots, barrages fired
--   used_a_draw: used / drawn
--   shots: shots or shells rolled for that it made, made stronger or weakened
--   damaging: of those that ended in fire-kill, mobility-kill or destruction
--   kills: tanks of the enemy destroyed by them (reactive armour: own tanks destroyed all the same)
--   own_kills: own tanks destroyed by own shells
--   averted: tanks that reactive armour saved from a result that destroys
--   kills_a_draw: kills / drawn
-- Example: duosuan query card_effects ARCHIVE --param scenario=village_assault
with chosen as (
    from chosen_cells($scenario, $red_policy, $blue_policy)
),
fire as (
    select
        events.*, unit_kinds.side as victims,
        result in ('fire_kill', 'mobility_kill', 'destroyed') as damages
    from events
    semi join chosen on chosen.experiment = events.experiment and chosen.cell = events.cell
    join unit_kinds
        on unit_kinds.experiment = events.experiment and unit_kinds.cell = events.cell and unit_kinds.unit = target
    where events.rulebook = 'tank_hex' and weapon is not null
),
-- A tank that fires directly more than once in a declaration has loaded rapidly: its second shot is the card's.
loaded_rapidly as (
    select experiment, cell, replication, turn, declaration, actor
    from fire
    where weapon = '85mm' and kind = 'direct'
    group by all
    having count(*) > 1
),
second_shots as (
    from fire
    semi join loaded_rapidly using (experiment, cell, replication, turn, declaration, actor)
    where weapon = '85mm' and kind = 'direct'
    qualify row_number() over (
        partition by experiment, cell, replication, turn, declaration, actor order by seq
    ) = 2
),
acted_on as (
    select *, side as owner, 'firepower' as acted from fire where card = 'firepower'
    union all by name
    select *, side as owner, 'rapid_loading' as acted from second_shots
    union all by name
    select *, side as owner, 'battery_' || rtrim(weapon, 'm') as acted from fire where kind = 'barrage'
    union all by name
    select *, victims as owner, 'reactive_armour' as acted from fire where braced
),
effects as (
    select
        experiment, cell, owner as side, acted as card,
        count(*) filter (fate = 'rolled') as shots,
        count(*) filter (damages) as damaging,
        coalesce(sum(losses) filter (victims <> side or acted = 'reactive_armour'), 0) as kills,
        coalesce(sum(losses) filter (victims = side and kind = 'barrage' and acted <> 'reactive_armour'), 0)
            as own_kills,
        count(*) filter (acted = 'reactive_armour' and result = 'mobility_kill' and losses = 0) as averted
    from acted_on
    group by all
),
draws as (
    select experiment, cell, side, card, count(*) as drawn
    from events
    where rulebook = 'tank_hex' and kind = 'card_drawn'
    group by all
),
uses as (
    select experiment, cell, side, card, count(*) as used
    from events
    where rulebook = 'tank_hex' and kind = 'card_played'
    group by all
    union all by name
    select experiment, cell, side, 'battery_' || rtrim(weapon, 'm') as card, count(distinct (replication, turn)) as used
    from events
    where rulebook = 'tank_hex' and kind = 'gun'
    group by all
),
full_games as (
    select experiment, cell, count(*) as games from recorded_games where recorded = 'events' group by all
)
select
    chosen.*, side, card, games, drawn,
    coalesce(used, 0) as used,
    coalesce(used, 0) / drawn as used_a_draw,
    coalesce(shots, 0) as shots,
    coalesce(damaging, 0) as damaging,
    coalesce(kills, 0) as kills,
    coalesce(own_kills, 0) as own_kills,
    coalesce(averted, 0) as averted,
    coalesce(kills, 0) / drawn as kills_a_draw
from chosen
join draws using (experiment, cell)
join full_games using (experiment, cell)
left join uses using (experiment, cell, side, card)
left join effects using (experiment, cell, side, card)
order by experiment, cell, side, card

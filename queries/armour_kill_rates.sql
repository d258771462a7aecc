-- How often does a shot at armour kill? (Tank Hex, First Contact)
--
-- Grain: one row for each cell, side that lost or was shot at, kind of fire, and what `by` tells apart. Shells of
--     barrages and tanks lost in a crowded hex have rows of their own: the kills of all rows are the vehicles lost.
-- Measure: kills / shots with Wilson's 95 % interval; a shot is one that was rolled for, a shell one that struck.
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
--   by text = weapon,shooter,target,facing,range: what to tell apart: these, height, terrain, suppressed, some or none
--   band integer = 200: width of a band of ranges in metres
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   side: side of the target
--   kind: kind of fire (Tank Hex: direct to close_combat; First Contact: fire), barrage or crowded_out
--   weapon: weapon used
--   shooter: kind of unit that fired; null for a battery
--   target: kind of unit fired at
--   facing: facing that the target shows the shooter; null for shells, and in Tank Hex
--   range: band of ranges in metres; null for shells
--   height: whether the target stands higher, level or lower; null in First Contact
--   terrain: terrain of the target; null in First Contact
--   suppressed: whether the shooter was suppressed; null in First Contact
--   shots: shots, each costs a round (First Contact: one of ammunition); shells
--   damaging: of those that damaged or penetrated: fire-kill, mobility-kill, penetration or destruction
--   kills: of those that destroyed
--   kill_rate, low, high: kills / shots with its interval
--   kills_per_100: kills for 100 rounds
--   shooter_turns: turns in which a unit fired, summed over units and games
--   kills_a_turn: kills / shooter_turns
-- Example: duosuan query armour_kill_rates ARCHIVE --param by=target,facing,range --param band=250
with chosen as (
    from chosen_cells($scenario, $red_policy, $blue_policy)
),
struck as (
    select
        events.experiment, events.cell, replication, turn, actor, losses, result,
        victims.side,
        case events.kind when 'shot' then 'fire' when 'shell' then 'barrage' else events.kind end as kind,
        told_apart($by, 'weapon', weapon) as weapon,
        told_apart($by, 'shooter', shooters.kind) as shooter,
        told_apart($by, 'target', victims.kind) as target,
        told_apart($by, 'facing', facing) as facing,
        told_apart($by, 'range', case when events.kind <> 'barrage' and range_m is not null then
            format('{:04d}-{:04d}', (range_m - 1) // $band * $band + 1, ((range_m - 1) // $band + 1) * $band)
        end) as range,
        told_apart($by, 'height', case sign(height) when 1 then 'higher' when 0 then 'level' when -1 then 'lower' end)
            as height,
        told_apart($by, 'terrain', terrain) as terrain,
        told_apart($by, 'suppressed', suppressed::varchar) as suppressed,
        case
            when events.rulebook = 'tank_hex' then losses
            else (result = 'destroyed')::integer
        end as kills
    from events
    semi join chosen on chosen.experiment = events.experiment and chosen.cell = events.cell
    join unit_kinds as victims
        on victims.experiment = events.experiment and victims.cell = events.cell
        and victims.unit = case events.kind when 'crowded_out' then actor else events.target end
    left join unit_kinds as shooters
        on shooters.experiment = events.experiment and shooters.cell = events.cell and shooters.unit = actor
        and events.kind <> 'crowded_out'
    where (
            events.rulebook = 'tank_hex' and (fate = 'rolled' or events.kind = 'crowded_out')
            or events.rulebook = 'first_contact' and events.kind in ('shot', 'shell')
        )
      and victims.kind <> 'squad'
      and are_known($by, ['weapon', 'shooter', 'target', 'facing', 'range', 'height', 'terrain', 'suppressed'])
),
by_shooter_and_turn as (
    select
        experiment, cell, replication, turn, actor,
        side, kind, weapon, shooter, target, facing, range, height, terrain, suppressed,
        count(*) as shots,
        count(*) filter (result in ('fire_kill', 'mobility_kill', 'penetrated', 'destroyed')) as damaging,
        sum(kills) as kills
    from struck
    group by all
),
counted as (
    select
        experiment, cell, side, kind, weapon, shooter, target, facing, range, height, terrain, suppressed,
        sum(shots)::bigint as shots,
        sum(damaging)::bigint as damaging,
        sum(kills) as kills,
        count(*) filter (kind not in ('barrage', 'crowded_out')) as shooter_turns
    from by_shooter_and_turn
    group by all
)
select
    chosen.*, side, kind, weapon, shooter, target, facing, range, height, terrain, suppressed,
    shots, damaging, kills,
    share(kills, shots) as kill_rate,
    wilson_low(kills, shots) as low,
    wilson_high(kills, shots) as high,
    100 * share(kills, shots) as kills_per_100,
    shooter_turns,
    share(kills, shooter_turns) as kills_a_turn
from chosen
join counted using (experiment, cell)
order by experiment, cell, side, kind, weapon, shooter, target, facing, range, height, terrain, suppressed

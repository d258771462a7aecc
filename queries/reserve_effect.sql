-- What do the reserves contribute once they are there? (First Contact)
--
-- Grain: one row for each cell, side, arm, and whether the units are reserves.
-- Measure: shots, losses inflicted and suffered by the reserves, and by the side's other units over the same turns:
--     from the one on in which the first of its reserves came (FC-2.7).
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   side: side of the units
--   arm: squads or vehicles
--   reserve: whether they are reserves, the SU-152 among them
--   games: games of which the events are recorded
--   units: units of the row in the scenario
--   arrived: of those, units that came, the mean (others: units that stood on the map when the first reserve came)
--   arrived_share: arrived / units
--   mean_turn: turn in which they came, the mean
--   shots: shots of theirs in a game, the mean
--   shots_a_unit: shots / arrived
--   armour_killed: vehicles that they destroyed in a game, the mean
--   men_struck: men whom they killed or wounded in a game, the mean
--   lost: units lost in a game, the mean
-- Example: duosuan query reserve_effect ARCHIVE --param red_policy=hold
with full_games as (
    select experiment, cell, replication
    from recorded_games
    where recorded = 'events' and rulebook = 'first_contact'
),
first_turns as (
    select experiment, cell, min(turn) as set_up from turns where rulebook = 'first_contact' group by all
),
members as (
    select
        experiment, cell, unit, units.side,
        case kind when 'squad' then 'squads' else 'vehicles' end as arm,
        units.status = 'waiting' as reserve
    from units
    join first_turns using (experiment, cell)
    semi join (
        select experiment, cell, min(replication) as replication from full_games group by all
    ) using (experiment, cell, replication)
    where turn = set_up
),
arrivals as (
    select experiment, cell, replication, actor as unit, side, turn
    from events
    where rulebook = 'first_contact' and kind = 'arrival'
),
-- A side whose reserves never came in a game has no row for it.
since as (
    select experiment, cell, replication, side, min(turn) as turn from arrivals group by all
),
there as (
    select experiment, cell, replication, unit, turn from arrivals
    union all
    select units.experiment, units.cell, units.replication, units.unit, null
    from units
    join since
        on since.experiment = units.experiment and since.cell = units.cell
        and since.replication = units.replication and since.side = units.side and units.turn = since.turn - 1
    where units.rulebook = 'first_contact' and units.status = 'on_map'
),
shots as (
    select
        events.experiment, events.cell, events.replication, actor as unit,
        count(*) filter (events.kind = 'shot') as shots,
        count(*) filter (result = 'destroyed') as armour_killed,
        coalesce(sum(losses) filter (victims.kind = 'squad'), 0) as men_struck
    from events
    join since
        on since.experiment = events.experiment and since.cell = events.cell
        and since.replication = events.replication and since.side = events.side and events.turn >= since.turn
    join unit_kinds as victims
        on victims.experiment = events.experiment and victims.cell = events.cell and victims.unit = target
    where events.kind in ('shot', 'melee')
    group by all
),
gone as (
    select experiment, cell, replication, unit
    from units
    join (select experiment, cell, max(turn) as turn from turns where rulebook = 'first_contact' group by all)
        using (experiment, cell, turn)
    where status = 'gone'
),
in_game as (
    select
        experiment, cell, replication, members.side, arm, reserve,
        count(*) as arrived,
        avg(there.turn) as mean_turn,
        coalesce(sum(shots), 0) as shots,
        coalesce(sum(armour_killed), 0) as armour_killed,
        coalesce(sum(men_struck), 0) as men_struck,
        count(gone.unit) as lost
    from there
    join members using (experiment, cell, unit)
    left join shots using (experiment, cell, replication, unit)
    left join gone using (experiment, cell, replication, unit)
    group by all
),
strengths as (
    select experiment, cell, side, arm, reserve, count(*) as units from members group by all
),
games as (
    select experiment, cell, count(*) as games from full_games group by all
),
counted as (
    select
        experiment, cell, side, arm, reserve, units, games,
        coalesce(sum(arrived), 0) / games as arrived,
        avg(mean_turn) as mean_turn,
        coalesce(sum(shots), 0) / games as shots,
        coalesce(sum(armour_killed), 0) / games as armour_killed,
        coalesce(sum(men_struck), 0) / games as men_struck,
        coalesce(sum(lost), 0) / games as lost
    from strengths
    join games using (experiment, cell)
    left join in_game using (experiment, cell, side, arm, reserve)
    group by experiment, cell, side, arm, reserve, units, games
)
select
    chosen.*, side, arm, reserve, games, units, arrived,
    share(arrived, units) as arrived_share,
    mean_turn, shots,
    share(shots, arrived) as shots_a_unit,
    armour_killed, men_struck, lost
from chosen_cells($scenario, $red_policy, $blue_policy) as chosen
join counted using (experiment, cell)
order by experiment, cell, side, arm, reserve desc

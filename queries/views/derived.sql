-- Views on the tables' views.

-- Games that came to an end, one row each. What is asked of games is asked of these.
create view games as
select * from files_games where end_reason <> 'failed';

-- Games that could not go on, because a policy answered with something that the rules forbid.
create view failed_games as
select * from files_games where end_reason = 'failed';

-- Games with the level at which each was recorded: a sample may be recorded more fully than the rest.
create view recorded_games as
select
    games.*,
    case when replication % sample_every = 0 then sample_level else record end as recorded
from games join experiments using (experiment);

-- Units with their side and kind, one row for each cell and unit. Where units have no kind, those of a nation are one;
-- where they have no side or no kind at all, all are of the one that the rulebook says (rulebooks.sql).
create view unit_kinds as
select
    experiment, rulebook, cell, unit,
    any_value(coalesce(unit_side(rulebook), side)) as side,
    any_value(coalesce(unit_kind(rulebook), kind, nation)) as kind
from units
semi join (
    select experiment, cell, min(replication) as replication
    from recorded_games
    where recorded in ('units', 'events')
    group by all
) using (experiment, cell, replication)
group by all;

-- Losses one by one: who lost (side, kind), what (loss), by what (cause), where (terrain), and how much (lost).
-- Null is what a rulebook does not record. Who runs from a melee, or ends a move in a crowded hex, is lost by itself.
create view losses as
with suffered as (
    select
        events.*,
        case when kind in ('lost', 'rout', 'crowded_out') then actor else target end as unit
    from events
),
told as (
    select
        suffered.experiment, suffered.rulebook, suffered.cell, replication, turn, seq, suffered.unit,
        unit_kinds.side, unit_kinds.kind, terrain,
        case
            when suffered.rulebook = 'barbarossa' then null
            when suffered.kind = 'shot' then 'fire'
            when suffered.kind = 'shell' then 'barrage'
            else suffered.kind
        end as cause,
        case when unit_kinds.kind = 'squad' then dead end as dead,
        case when unit_kinds.kind = 'squad' then wounded end as wounded,
        case
            when suffered.rulebook = 'tank_hex' then losses
            when unit_kinds.kind <> 'squad' then (result = 'destroyed')::integer
        end as armour_lost,
        case when suffered.rulebook = 'first_contact' and unit_kinds.kind <> 'squad' then dead end as crew_lost,
        case when suffered.kind = 'lost' then 1 end as units_lost
    from suffered
    join unit_kinds
        on unit_kinds.experiment = suffered.experiment and unit_kinds.cell = suffered.cell
        and unit_kinds.unit = suffered.unit
)
select *
from (unpivot told on dead, wounded, armour_lost, crew_lost, units_lost into name loss value lost)
where lost > 0;

-- What does a barrage do? (First Contact)
--
-- Grain: one row for each cell, side that called, side that was struck and kind of unit struck; cells that shells found
--     empty, and those off the map, are in no row.
-- Measure: what the shells did, summed over the games, and for one barrage (FC-7.2, FC-7.3).
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   side: side that called the barrages
--   struck: side of the units struck
--   kind: kind of unit struck, or all
--   games: games of which the events are recorded
--   barrages: barrages that the side called in them
--   shells: shells of those barrages
--   hits: shells that fell on units of this row
--   hit_share: hits / shells
--   units: times that a unit was struck
--   dead, wounded: men of squads
--   wiped_out: squads wiped out
--   destroyed, stunned: vehicles
--   crew_lost: crew of vehicles lost
--   dead_a_barrage, destroyed_a_barrage: dead / barrages, destroyed / barrages
-- Example: duosuan query barrage_effect ARCHIVE --param blue_policy=hold
with calls as (
    select experiment, cell, side, count(*) as barrages, sum(shells) as shells
    from events
    where rulebook = 'first_contact' and kind = 'barrage'
    group by all
),
blows as (
    select
        events.experiment, events.cell, events.side, unit_kinds.side as struck,
        coalesce(unit_kinds.kind, 'all') as kind,
        sum(shells) as hits,
        count(*) as units,
        coalesce(sum(dead) filter (unit_kinds.kind = 'squad'), 0) as dead,
        coalesce(sum(wounded) filter (unit_kinds.kind = 'squad'), 0) as wounded,
        count(*) filter (result = 'wiped_out') as wiped_out,
        count(*) filter (result = 'destroyed') as destroyed,
        count(*) filter (result = 'stunned') as stunned,
        coalesce(sum(dead) filter (unit_kinds.kind <> 'squad'), 0) as crew_lost
    from events
    join unit_kinds
        on unit_kinds.experiment = events.experiment and unit_kinds.cell = events.cell and unit_kinds.unit = target
    where events.rulebook = 'first_contact' and events.kind = 'shell'
    group by grouping sets (
        (events.experiment, events.cell, events.side, unit_kinds.side, unit_kinds.kind),
        (events.experiment, events.cell, events.side, unit_kinds.side)
    )
),
full_games as (
    select experiment, cell, count(*) as games from recorded_games where recorded = 'events' group by all
)
select
    chosen.*, side, struck, kind, games, barrages, shells, hits,
    share(hits, shells) as hit_share,
    units, dead, wounded, wiped_out, destroyed, stunned, crew_lost,
    dead / barrages as dead_a_barrage,
    destroyed / barrages as destroyed_a_barrage
from chosen_cells($scenario, $red_policy, $blue_policy) as chosen
join blows using (experiment, cell)
join calls using (experiment, cell, side)
join full_games using (experiment, cell)
order by experiment, cell, side, struck, kind

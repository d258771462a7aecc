-- What does concentrated fire waste? (Tank Hex)
--
-- Grain: one row for each cell, side that fires, kind of fire and number of shooters in a declaration.
-- Measure: shots declared that were not rolled for because the target was destroyed already (TH-4.9) / shots declared,
--     with Wilson's 95 % interval; kills / declarations.
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   side: side that fires
--   kind: direct, opportunity, covering, on_the_move or short_halt
--   shooters: tanks named in the declaration
--   declarations: declarations of so many
--   shots: shots declared, with second ones by rapid loading
--   rolled: shots rolled for
--   wasted: shots not rolled for because the target was destroyed by one before
--   wasted_share, wasted_low, wasted_high: wasted / shots with its interval
--   impossible: shots that had no sight, no range or no effect
--   kills: tanks destroyed
--   kills_a_declaration: kills / declarations
--   kills_a_shot: kills / shots
-- Example: duosuan query overkill ARCHIVE --param blue_policy=random
with declared as (
    select
        experiment, cell, replication, turn, declaration, side, kind,
        count(distinct actor) as shooters,
        count(*) as shots,
        count(*) filter (fate = 'rolled') as rolled,
        count(*) filter (fate = 'not_rolled') as wasted,
        coalesce(sum(losses), 0) as kills
    from events
    where rulebook = 'tank_hex' and kind in ('direct', 'opportunity', 'covering', 'on_the_move', 'short_halt')
    group by all
),
counted as (
    select
        experiment, cell, side, kind, shooters,
        count(*) as declarations,
        sum(shots) as shots,
        sum(rolled) as rolled,
        sum(wasted) as wasted,
        sum(kills) as kills
    from declared
    group by all
)
select
    chosen.*, side, kind, shooters, declarations, shots, rolled, wasted,
    share(wasted, shots) as wasted_share,
    wilson_low(wasted, shots) as wasted_low,
    wilson_high(wasted, shots) as wasted_high,
    shots - rolled - wasted as impossible,
    kills,
    kills / declarations as kills_a_declaration,
    kills / shots as kills_a_shot
from chosen_cells($scenario, $red_policy, $blue_policy) as chosen
join counted using (experiment, cell)
order by experiment, cell, side, kind, shooters

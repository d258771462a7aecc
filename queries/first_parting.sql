-- When do games with equal dice part?
--
-- Grain: one row for each cell but the one that it is compared with, of which a game with equal dice is recorded in played.
-- Measure: the first turn after which anything recorded of turns, units or territory differs from the game of the same
--   replication in the other cell; the set-up counts as the turn before the first.
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
--   cell integer = null: compare with this cell; by default with the first of each scenario
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   compared_with: the other cell
--   games: replications that both have played and recorded
--   parted: of those, games that differ in the end
--   parted_share: parted / games
--   first: earliest turn in which one parted
--   median, p95: of the games that parted, the least turn by which half, or 95 %, had
-- Example: duosuan query first_parting ARCHIVE --param cell=0
with compared_with as (
    select experiment, scenario, seed, min(cell) as other
    from cells
    where $cell is null or cell = $cell
    group by all
),
pairs as (
    select cells.experiment, cells.cell, other
    from cells
    join compared_with using (experiment, scenario, seed)
    semi join chosen_cells($scenario, $red_policy, $blue_policy) as chosen
        on chosen.experiment = cells.experiment and chosen.cell = cells.cell
    where cells.cell <> other
),
recorded as (
    select experiment, cell, replication from recorded_games where recorded <> 'games'
),
played as (
    select pairs.*, mine.replication
    from pairs
    join recorded as mine using (experiment, cell)
    semi join recorded as theirs
        on theirs.experiment = pairs.experiment and theirs.cell = other and theirs.replication = mine.replication
),
concerned as (
    select cell from pairs union select other from pairs
),
-- All rows of a game and turn as one number; what differs in any case, the cell, is left out.
states as (
    select experiment, cell, replication, turn, bit_xor(state) as state
    from (
        select experiment, cell, replication, turn, bit_xor(hash(*columns(* exclude (experiment, rulebook, cell)))) as state
        from turns semi join concerned using (cell) group by all
        union all
        select experiment, cell, replication, turn, bit_xor(hash(*columns(* exclude (experiment, rulebook, cell))))
        from units semi join concerned using (cell) group by all
        union all
        select experiment, cell, replication, turn, bit_xor(hash(*columns(* exclude (experiment, rulebook, cell))))
        from territory semi join concerned using (cell) group by all
    )
    group by all
),
mine as (
    select played.*, turn, state from played join states using (experiment, cell, replication)
),
theirs as (
    select played.*, turn, state
    from played
    join states
        on states.experiment = played.experiment and states.cell = other and states.replication = played.replication
),
partings as (
    select experiment, cell, replication, min(turn) as turn
    from mine
    full join theirs using (experiment, cell, replication, turn)
    where mine.state is distinct from theirs.state
    group by all
)
select
    chosen.*,
    other as compared_with,
    count(*) as games,
    count(turn) as parted,
    share(count(turn), count(*)) as parted_share,
    min(turn) as first,
    quantile_disc(turn, 0.5) as median,
    quantile_disc(turn, 0.95) as p95
from chosen_cells($scenario, $red_policy, $blue_policy) as chosen
join played using (experiment, cell)
left join partings using (experiment, cell, replication)
group by all
order by experiment, cell

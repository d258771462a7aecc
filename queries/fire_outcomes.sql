-- Does fire do what the result tables say? (Tank Hex)
--
-- Grain: one row for each cell, table, level and result.
-- Measure: rolls with this result / rolls at this level, with Wilson's 95 % interval, beside the probability that the
--     table gives it (TH-4.5, TH-7.3). A check of the simulator: `wrong` must be 0, and expected lie in most intervals.
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   result_table: direct (85 mm guns) or indirect (shells)
--   level: level after height and modifiers
--   result: result by the table, before terrain, armour and cards
--   rolls: shots and shells rolled for at this level
--   n: of those with this result
--   share, low, high: n / rolls with its interval
--   expected: its probability by the table, with two dice
--   wrong: of the n rolls, those whose dice the table gives another result
--   final: rolls whose final result, after all corrections, is this one
-- Example: duosuan query fire_outcomes ARCHIVE --param scenario=meeting_engagement
with printed as (
    select result_table, dice, unnest(range(1, 11)) as level, string_split(cells, '')[level] as letter
    from (values
        ('direct', 2, 'FFFFFFFFKK'), ('indirect', 2, 'FFFFFFFFKK'),
        ('direct', 3, '-SKKKKKKKK'), ('indirect', 3, 'SSKKKKKKKK'),
        ('direct', 4, '---SKKKKKK'), ('indirect', 4, '-SSSKKKKKK'),
        ('direct', 5, '-----SKKKK'), ('indirect', 5, '---SSSKKKK'),
        ('direct', 6, '-------SKK'), ('indirect', 6, '-----SSSKK'),
        ('direct', 7, '--------SK'), ('indirect', 7, '------SSSK'),
        ('direct', 8, '---------S'), ('indirect', 8, '-------SSS'),
        ('direct', 9, '------SKKK'), ('indirect', 9, '----SSSKKK'),
        ('direct', 10, '----SKKKKK'), ('indirect', 10, '--SSSKKKKK'),
        ('direct', 11, '--SKKKKKKK'), ('indirect', 11, 'SSSKKKKKKK'),
        ('direct', 12, 'SMMMMMMMMM'), ('indirect', 12, 'SMMMMMMMMM')
    ) as rows (result_table, dice, cells)
),
tables as (
    select
        result_table, dice, level, 6 - abs(dice - 7) as ways,
        case letter
            when 'K' then 'destroyed' when 'F' then 'fire_kill' when 'M' then 'mobility_kill' when 'S' then 'suppressed'
            else 'none'
        end as result
    from printed
),
probabilities as (
    select result_table, level, result, sum(ways) / 36 as expected from tables group by all
),
rolled as (
    select
        experiment, cell, level, dice, table_result, result,
        case weapon when '85mm' then 'direct' else 'indirect' end as result_table
    from events
    where rulebook = 'tank_hex' and fate = 'rolled'
),
levels as (
    select experiment, cell, result_table, level, count(*) as rolls from rolled group by all
),
by_table as (
    select
        experiment, cell, result_table, level, table_result as result,
        count(*) as n,
        count(*) filter (tables.result is distinct from table_result) as wrong
    from rolled
    left join tables using (result_table, level, dice)
    group by all
),
by_end as (
    select experiment, cell, result_table, level, result, count(*) as final from rolled group by all
),
results as (
    select experiment, cell, result_table, level, result from levels join probabilities using (result_table, level)
    union
    select experiment, cell, result_table, level, result from by_table
    union
    select experiment, cell, result_table, level, result from by_end
)
select
    chosen.*, result_table, level, result, rolls,
    coalesce(n, 0) as n,
    share(coalesce(n, 0), rolls) as share,
    wilson_low(coalesce(n, 0), rolls) as low,
    wilson_high(coalesce(n, 0), rolls) as high,
    coalesce(expected, 0) as expected,
    coalesce(wrong, 0) as wrong,
    coalesce(final, 0) as final
from chosen_cells($scenario, $red_policy, $blue_policy) as chosen
join results using (experiment, cell)
join levels using (experiment, cell, result_table, level)
left join by_table using (experiment, cell, result_table, level, result)
left join by_end using (experiment, cell, result_table, level, result)
left join probabilities using (result_table, level, result)
order by
    experiment, cell, result_table, level,
    list_position(['none', 'suppressed', 'fire_kill', 'mobility_kill', 'destroyed'], result)

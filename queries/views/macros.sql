-- What several questions need. Each is said here and nowhere else.

-- The 97.5 % quantile of the normal distribution: intervals are 95 % intervals.
create macro z() as 1.959963984540054;

-- Wilson's score interval for k of n (E. B. Wilson, "Probable inference, the law of succession, and statistical
-- inference", 1927); null for no trial. Only within a cell: cells share their dice.
create macro wilson_middle(k, n) as (k + z() ** 2 / 2) / (n + z() ** 2);
create macro wilson_half(k, n) as z() / (n + z() ** 2) * sqrt(k * (n - k) / n + z() ** 2 / 4);
create macro wilson_low(k, n) as
    case when n > 0 then case when k = 0 then 0.0 else wilson_middle(k, n) - wilson_half(k, n) end end;
create macro wilson_high(k, n) as
    case when n > 0 then case when k = n then 1.0 else wilson_middle(k, n) + wilson_half(k, n) end end;

-- A share; null for a share of nothing.
create macro share(k, n) as case when n > 0 then k / n end;

-- 95 % interval of the mean of a column (normal approximation); null for fewer than two values.
create macro mean_low(x) as avg(x) - z() * stddev_samp(x) / sqrt(count(x));
create macro mean_high(x) as avg(x) + z() * stddev_samp(x) / sqrt(count(x));

-- Cells of a scenario and of policies; null is any. A scenario may be called by its name alone.
create macro chosen_cells(wanted_scenario, wanted_red, wanted_blue) as table
    select * exclude (content, rulebook, seed) from cells
    where (wanted_scenario is null or scenario = wanted_scenario or split_part(scenario, '/', 2) = wanted_scenario)
      and (wanted_red is null or red_policy = wanted_red)
      and (wanted_blue is null or blue_policy = wanted_blue);

-- For questions that tell apart what their parameter `by` names, with commas: the value if the name is among them, else
-- 'all'. A misspelt name is an error.
create macro told_apart(wanted, name, value) as
    case when list_contains(string_split(wanted, ','), name) then value else 'all' end;
create macro are_known(wanted, known) as
    case
        when wanted = '' or list_has_all(known, string_split(wanted, ',')) then true
        else error('by: ' || wanted || ' is wrong: use some of ' || array_to_string(known, ','))
    end;

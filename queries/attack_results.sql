-- What comes of attacks? (Barbarossa)
--
-- Grain: one row for each cell, kind of attack, number of units, modifier and result.
-- Measure: attacks with this result / attacks of the cell by (attack) or upon (soviet_attack) so many units with this
--     modifier, with Wilson's 95 % interval.
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   kind: attack (by the Axis, BB-3.2) or soviet_attack (BB-5.4)
--   units: Axis units that attacked or were attacked
--   modifier: added to the die; null for Soviet attacks
--   result: result of the attack
--   attacks: attacks with these units and this modifier
--   n: of those with this result
--   share, low, high: n / attacks with its interval
--   captured: of the n attacks, those after which the region had changed hands
--   mean_losses: Axis units lost in such an attack
--   isolated: regions cut off by them, in all
-- Example: duosuan query attack_results ARCHIVE --param blue_policy=blitz
with counted as (
    select
        experiment, cell, kind, units, modifier, result,
        count(*) as n,
        count(*) filter (captured) as captured,
        avg(losses) as mean_losses,
        sum(isolated) as isolated
    from events
    where kind in ('attack', 'soviet_attack')
    group by all
)
select
    chosen.*, kind, units, modifier, result,
    sum(n) over attacks as attacks,
    n,
    share(n, sum(n) over attacks) as share,
    wilson_low(n, sum(n) over attacks) as low,
    wilson_high(n, sum(n) over attacks) as high,
    captured, mean_losses, isolated
from chosen_cells($scenario, $red_policy, $blue_policy) as chosen
join counted using (experiment, cell)
window attacks as (partition by experiment, cell, kind, units, modifier)
order by experiment, cell, kind, units, modifier, result

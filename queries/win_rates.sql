-- How often does each side win?
--
-- Grain: one row for each cell of which a game is finished.
-- Measure: wins / games with Wilson's 95 % interval; a draw is no win. Failed games are left out and counted.
-- Parameters:
--   scenario text = null: only this scenario
--   red_policy text = null: only this policy of red
--   blue_policy text = null: only this policy of blue
-- Columns:
--   experiment, cell, scenario, red_policy, blue_policy: the cell, with a column for each factor
--   games: games that came to an end
--   failed: games that did not
--   blue_wins, red_wins, draws: how they ended
--   blue_win_rate, blue_low, blue_high: share of games that blue won, with its interval
--   red_win_rate, red_low, red_high: the same for red
--   draw_rate: share of draws
-- Example: duosuan query win_rates ARCHIVE --param scenario=barbarossa/blue
with ended as (
    select
        experiment, cell,
        count(*) as games,
        count(*) filter (winner = 'blue') as blue_wins,
        count(*) filter (winner = 'red') as red_wins,
        count(*) filter (winner = 'draw') as draws
    from games
    group by all
),
failures as (
    select experiment, cell, count(*) as failed from failed_games group by all
)
select
    chosen.*,
    coalesce(games, 0) as games,
    coalesce(failed, 0) as failed,
    coalesce(blue_wins, 0) as blue_wins,
    coalesce(red_wins, 0) as red_wins,
    coalesce(draws, 0) as draws,
    share(blue_wins, games) as blue_win_rate,
    wilson_low(blue_wins, games) as blue_low,
    wilson_high(blue_wins, games) as blue_high,
    share(red_wins, games) as red_win_rate,
    wilson_low(red_wins, games) as red_low,
    wilson_high(red_wins, games) as red_high,
    share(draws, games) as draw_rate
from chosen_cells($scenario, $red_policy, $blue_policy) as chosen
left join ended using (experiment, cell)
left join failures using (experiment, cell)
where games > 0 or failed > 0
order by experiment, cell

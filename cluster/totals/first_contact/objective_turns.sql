-- Objective-turns that turns tells of are the objectives held, summed; the margin is their difference (FC-11.4).
-- Needs: games, turns
SELECT t.cell, t.replication, 'turns.objective_turns of ' || t.side || ' in turn ' || t.turn AS what,
    t.objective_turns AS told,
    -- A game that is over stands still.
    sum(CASE WHEN t.turn > s.first AND t.turn <= g.turns THEN t.objectives ELSE 0 END) OVER (
        PARTITION BY t.cell, t.replication, t.side ORDER BY t.turn
    ) AS counted
FROM turns t
JOIN games g USING (cell, replication)
JOIN (SELECT cell, replication, min(turn) AS first FROM turns GROUP BY ALL) s USING (cell, replication)
QUALIFY told <> counted
UNION ALL
SELECT g.cell, g.replication, 'games.margin', g.margin AS told, t.margin AS counted
FROM games g
JOIN (
    SELECT cell, replication,
        arg_max(objective_turns, turn) FILTER (side = 'blue') - arg_max(objective_turns, turn) FILTER (side = 'red') AS margin
    FROM turns
    GROUP BY ALL
) t USING (cell, replication)
WHERE told <> counted

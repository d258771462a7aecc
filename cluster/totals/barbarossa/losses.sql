-- Units that games says were lost are those that the turns tell of.
-- Needs: games, turns
SELECT g.cell, g.replication, 'games.axis_units_lost' AS what, g.axis_units_lost AS told, t.lost AS counted
FROM games g
JOIN (
    SELECT cell, replication, sum(lost) AS lost FROM turns WHERE side = 'blue' GROUP BY ALL
) t USING (cell, replication)
WHERE told <> counted

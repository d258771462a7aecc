-- Places that games says a side holds at the end are those of the side's last turn.
-- Needs: games, turns
SELECT g.cell, g.replication, 'games.' || t.side || '_territory' AS what,
    CASE t.side WHEN 'red' THEN g.red_territory ELSE g.blue_territory END AS told, t.territory AS counted
FROM games g
JOIN (
    SELECT cell, replication, side, arg_max(territory, turn) AS territory FROM turns GROUP BY ALL
) t USING (cell, replication)
WHERE told IS DISTINCT FROM counted

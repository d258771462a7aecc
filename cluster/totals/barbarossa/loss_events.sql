-- Units that games says were lost are those that the events tell of.
-- Needs: games, events
SELECT g.cell, g.replication, 'games.axis_units_lost' AS what, g.axis_units_lost AS told, coalesce(e.lost, 0) AS counted
FROM games g
LEFT JOIN (
    SELECT cell, replication, count(*) AS lost FROM events WHERE kind = 'lost' GROUP BY ALL
) e USING (cell, replication)
WHERE told <> counted

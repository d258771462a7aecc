-- Units on the map, waiting and gone that turns tells of are those of units.
-- Needs: turns, units
SELECT t.cell, t.replication, 'turns.' || n.status || ' in turn ' || t.turn AS what,
    CASE n.status WHEN 'on_map' THEN t.on_map WHEN 'waiting' THEN t.waiting ELSE t.gone END AS told, n.units AS counted
FROM turns t
JOIN (
    SELECT cell, replication, turn, s.status, count(*) FILTER (units.status = s.status) AS units
    FROM units, (VALUES ('on_map'), ('waiting'), ('gone')) s(status)
    GROUP BY ALL
) n USING (cell, replication, turn)
WHERE t.side = 'blue' AND told <> counted

-- Tanks that games says were lost are those that the events tell of.
-- Needs: games, events, units
SELECT g.cell, g.replication, 'games.' || s.side || '_armour_lost' AS what,
    CASE s.side WHEN 'red' THEN g.red_armour_lost ELSE g.blue_armour_lost END AS told, coalesce(e.lost, 0) AS counted
FROM games g
CROSS JOIN (VALUES ('red'), ('blue')) s(side)
LEFT JOIN (
    SELECT e.cell, e.replication, u.side, sum(e.losses) AS lost
    FROM events e
    JOIN units u ON u.cell = e.cell AND u.replication = e.replication AND u.turn = 0
        AND u.unit = CASE e.kind WHEN 'crowded_out' THEN e.actor ELSE e.target END
    WHERE e.losses > 0
    GROUP BY ALL
) e ON e.cell = g.cell AND e.replication = g.replication AND e.side = s.side
WHERE told <> counted

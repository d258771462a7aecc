-- Points, margin and objectives that games tells of are those of the last turn.
-- Needs: games, turns
SELECT g.cell, g.replication, 'games.' || s.side || '_points' AS what,
    CASE s.side WHEN 'red' THEN g.red_points ELSE g.blue_points END AS told, t.points AS counted
FROM games g
CROSS JOIN (VALUES ('red'), ('blue')) s(side)
JOIN (
    SELECT cell, replication, side, arg_max(points, turn) AS points FROM turns GROUP BY ALL
) t ON t.cell = g.cell AND t.replication = g.replication AND t.side = s.side
WHERE told <> counted
UNION ALL
SELECT cell, replication, 'games.margin', margin, blue_points - red_points FROM games WHERE margin <> blue_points - red_points

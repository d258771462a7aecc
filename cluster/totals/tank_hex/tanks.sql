-- Tanks on the map, able and lost that turns tells of are those of units.
-- Needs: turns, units
SELECT t.cell, t.replication, 'turns.' || w.what || ' of ' || t.side || ' in turn ' || t.turn AS what,
    CASE w.what WHEN 'tanks' THEN t.tanks WHEN 'armour_able' THEN t.armour_able ELSE t.armour_lost END AS told,
    CASE w.what WHEN 'tanks' THEN n.tanks WHEN 'armour_able' THEN n.able ELSE n.lost END AS counted
FROM turns t
CROSS JOIN (VALUES ('tanks'), ('armour_able'), ('armour_lost')) w(what)
JOIN (
    SELECT cell, replication, turn, side,
        count(*) FILTER (NOT destroyed) AS tanks,
        count(*) FILTER (NOT (destroyed OR fire_kill OR mobility_kill)) AS able,
        count(*) FILTER (destroyed) AS lost
    FROM units
    GROUP BY ALL
) n USING (cell, replication, turn, side)
WHERE told <> counted

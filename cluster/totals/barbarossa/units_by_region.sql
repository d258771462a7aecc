-- Units that territory counts in a region are those that stand there.
-- Needs: units, territory
SELECT p.cell, p.replication, 'territory.units of ' || p.place || ' in turn ' || p.turn AS what,
    p.units AS told, coalesce(n.units, 0) AS counted
FROM territory p
LEFT JOIN (
    SELECT cell, replication, turn, region AS place, count(*) AS units
    FROM units WHERE status = 'on_map' GROUP BY ALL
) n USING (cell, replication, turn, place)
WHERE told <> counted

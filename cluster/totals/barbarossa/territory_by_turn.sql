-- Places that turns says a side holds are those that territory has as its.
-- Needs: turns, territory
SELECT t.cell, t.replication, 'turns.territory of ' || t.side || ' in turn ' || t.turn AS what,
    t.territory AS told, coalesce(p.places, 0) AS counted
FROM turns t
LEFT JOIN (
    SELECT cell, replication, turn, holder AS side, count(*) AS places FROM territory GROUP BY ALL
) p USING (cell, replication, turn, side)
WHERE told IS NOT NULL AND told <> counted

-- Objectives that turns tells of are those that territory says a side holds.
-- Needs: turns, territory
SELECT t.cell, t.replication, 'turns.territory of ' || t.side || ' in turn ' || t.turn AS what,
    t.territory AS told, coalesce(p.held, 0) AS counted
FROM turns t
LEFT JOIN (
    SELECT cell, replication, turn, holder AS side, count(*) AS held FROM territory GROUP BY ALL
) p USING (cell, replication, turn, side)
WHERE told <> counted

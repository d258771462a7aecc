-- Sectors and objectives that turns and games say a side holds are those that territory has as its (FC-11.1, FC-11.2).
-- Needs: games, turns, territory
WITH held AS (
    SELECT cell, replication, turn, holder AS side,
        count(*) FILTER (regexp_full_match(place, '[A-Z][0-9]+')) AS sectors,
        count(*) FILTER (NOT regexp_full_match(place, '[A-Z][0-9]+')) AS objectives
    FROM territory
    GROUP BY ALL
)
SELECT t.cell, t.replication, 'turns.' || w.what || ' of ' || t.side || ' in turn ' || t.turn AS what,
    CASE w.what WHEN 'territory' THEN t.territory ELSE t.objectives END AS told,
    coalesce(CASE w.what WHEN 'territory' THEN h.sectors ELSE h.objectives END, 0) AS counted
FROM turns t
CROSS JOIN (VALUES ('territory'), ('objectives')) w(what)
LEFT JOIN held h USING (cell, replication, turn, side)
WHERE told <> counted
UNION ALL
SELECT g.cell, g.replication, 'games.' || t.side || '_objectives',
    CASE t.side WHEN 'red' THEN g.red_objectives ELSE g.blue_objectives END AS told, t.objectives AS counted
FROM games g
JOIN (
    SELECT cell, replication, side, arg_max(objectives, turn) AS objectives FROM turns GROUP BY ALL
) t USING (cell, replication)
WHERE told <> counted

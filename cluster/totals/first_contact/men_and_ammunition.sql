-- Men able, dead and wounded, ammunition left and units to come that turns tells of are those of units.
-- Needs: turns, units
SELECT t.cell, t.replication, 'turns.' || w.what || ' of ' || t.side || ' in turn ' || t.turn AS what,
    CASE w.what
        WHEN 'men_able' THEN t.men_able WHEN 'dead' THEN t.dead WHEN 'wounded' THEN t.wounded
        WHEN 'ammunition' THEN t.ammunition ELSE t.waiting
    END AS told,
    CASE w.what
        WHEN 'men_able' THEN n.men_able WHEN 'dead' THEN n.dead WHEN 'wounded' THEN n.wounded
        WHEN 'ammunition' THEN n.ammunition ELSE n.waiting
    END AS counted
FROM turns t
CROSS JOIN (VALUES ('men_able'), ('dead'), ('wounded'), ('ammunition'), ('waiting')) w(what)
JOIN (
    SELECT cell, replication, turn, side,
        sum(men) FILTER (kind = 'squad') AS men_able,
        sum(dead) FILTER (kind = 'squad') AS dead,
        sum(wounded) FILTER (kind = 'squad') AS wounded,
        coalesce(sum(ammunition) FILTER (status <> 'gone'), 0) AS ammunition,
        count(*) FILTER (status = 'waiting') AS waiting
    FROM units
    GROUP BY ALL
) n USING (cell, replication, turn, side)
WHERE told <> counted

-- Men, crews and vehicles that turns says a side has lost by the end are those that the events tell of.
-- Needs: turns, units, events
WITH sides AS (
    SELECT cell, replication, unit, any_value(side) AS side, any_value(kind) AS kind FROM units GROUP BY ALL
),
lost AS (
    SELECT s.cell, s.replication, s.side,
        sum(e.dead) FILTER (s.kind = 'squad') AS dead,
        sum(e.wounded) FILTER (s.kind = 'squad') AS wounded,
        sum(e.dead) FILTER (s.kind <> 'squad') AS crew_lost,
        count(*) FILTER (s.kind <> 'squad' AND e.result = 'destroyed') AS armour_lost
    FROM events e
    JOIN sides s ON s.cell = e.cell AND s.replication = e.replication
        AND s.unit = CASE e.kind WHEN 'rout' THEN e.actor ELSE e.target END
    GROUP BY ALL
)
SELECT t.cell, t.replication, 'turns.' || w.what || ' of ' || t.side || ' at the end' AS what,
    CASE w.what
        WHEN 'dead' THEN t.dead WHEN 'wounded' THEN t.wounded WHEN 'crew_lost' THEN t.crew_lost ELSE t.armour_lost
    END AS told,
    coalesce(CASE w.what
        WHEN 'dead' THEN l.dead WHEN 'wounded' THEN l.wounded WHEN 'crew_lost' THEN l.crew_lost ELSE l.armour_lost
    END, 0) AS counted
FROM (
    SELECT cell, replication, side, arg_max(dead, turn) AS dead, arg_max(wounded, turn) AS wounded,
        arg_max(crew_lost, turn) AS crew_lost, arg_max(armour_lost, turn) AS armour_lost
    FROM turns
    GROUP BY ALL
) t
CROSS JOIN (VALUES ('dead'), ('wounded'), ('crew_lost'), ('armour_lost')) w(what)
LEFT JOIN lost l USING (cell, replication, side)
WHERE told <> counted

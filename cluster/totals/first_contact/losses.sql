-- Men and vehicles that games says each side lost are those of the side's last turn.
-- Needs: games, turns
SELECT g.cell, g.replication, 'games.' || s.side || '_' || w.what AS what,
    CASE w.what
        WHEN 'men_lost' THEN CASE s.side WHEN 'red' THEN g.red_men_lost ELSE g.blue_men_lost END
        WHEN 'armour_lost' THEN CASE s.side WHEN 'red' THEN g.red_armour_lost ELSE g.blue_armour_lost END
        ELSE CASE s.side WHEN 'red' THEN g.red_crew_lost ELSE g.blue_crew_lost END
    END AS told,
    CASE w.what WHEN 'men_lost' THEN t.men WHEN 'armour_lost' THEN t.armour ELSE t.crew END AS counted
FROM games g
CROSS JOIN (VALUES ('red'), ('blue')) s(side)
CROSS JOIN (VALUES ('men_lost'), ('armour_lost'), ('crew_lost')) w(what)
JOIN (
    SELECT cell, replication, side, arg_max(dead + wounded, turn) AS men, arg_max(armour_lost, turn) AS armour,
        arg_max(crew_lost, turn) AS crew
    FROM turns
    GROUP BY ALL
) t ON t.cell = g.cell AND t.replication = g.replication AND t.side = s.side
WHERE told <> counted

-- Vehicles able by kind, disarmed, immobile and lost, and crews lost, that turns tells of are those of units.
-- Needs: turns, units
WITH told AS (
    UNPIVOT (
        SELECT cell, replication, turn, side,
            armour_able, armour_lost, disarmed, immobile, crew_lost,
            t34_76_able, t34_85_able, su152_able, panther_able, tiger_able
        FROM turns
    )
    ON COLUMNS(* EXCLUDE (cell, replication, turn, side)) INTO NAME what VALUE told
),
counted AS (
    UNPIVOT (
        SELECT cell, replication, turn, side,
            count(*) FILTER (status <> 'gone') AS armour_able,
            count(*) FILTER (status = 'gone') AS armour_lost,
            count(*) FILTER (status <> 'gone' AND cannot_fire) AS disarmed,
            count(*) FILTER (status <> 'gone' AND cannot_move) AS immobile,
            sum(dead)::BIGINT AS crew_lost,
            count(*) FILTER (status <> 'gone' AND kind = 't34_76') AS t34_76_able,
            count(*) FILTER (status <> 'gone' AND kind = 't34_85') AS t34_85_able,
            count(*) FILTER (status <> 'gone' AND kind = 'su152') AS su152_able,
            count(*) FILTER (status <> 'gone' AND kind = 'panther') AS panther_able,
            count(*) FILTER (status <> 'gone' AND kind = 'tiger') AS tiger_able
        FROM units
        WHERE kind <> 'squad'
        GROUP BY ALL
    )
    ON COLUMNS(* EXCLUDE (cell, replication, turn, side)) INTO NAME what VALUE counted
)
SELECT cell, replication, 'turns.' || what || ' of ' || side || ' in turn ' || turn AS what, told, counted
FROM told
JOIN counted USING (cell, replication, turn, side, what)
WHERE told <> counted

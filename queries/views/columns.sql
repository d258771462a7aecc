-- Written by `python -m queries.dictionary` from the FIELDS tables of the rulebooks: do not edit.
-- An empty table for each table of an archive. The views add the files' rows to it, so that a view has every
-- column of every rulebook, whatever the archive holds.
create schema empty;

create table empty.games (
    experiment VARCHAR,
    rulebook VARCHAR,
    cell INTEGER,
    replication INTEGER,
    scenario VARCHAR,
    red_policy VARCHAR,
    blue_policy VARCHAR,
    winner VARCHAR,
    outcome VARCHAR,
    margin INTEGER,
    turns SMALLINT,
    end_reason VARCHAR,
    red_men_start INTEGER,
    red_men_lost INTEGER,
    red_armour_start INTEGER,
    red_armour_lost INTEGER,
    red_territory INTEGER,
    blue_men_start INTEGER,
    blue_men_lost INTEGER,
    blue_armour_start INTEGER,
    blue_armour_lost INTEGER,
    blue_territory INTEGER,
    fault VARCHAR,
    fault_turn SMALLINT,
    fault_value BIGINT,
    axis_units_lost SMALLINT
);

create table empty.turns (
    experiment VARCHAR,
    rulebook VARCHAR,
    cell INTEGER,
    replication INTEGER,
    turn SMALLINT,
    side VARCHAR,
    men_able INTEGER,
    dead INTEGER,
    wounded INTEGER,
    armour_able INTEGER,
    armour_lost INTEGER,
    ammunition INTEGER,
    territory INTEGER,
    points INTEGER,
    on_map TINYINT,
    waiting TINYINT,
    gone TINYINT,
    attacks TINYINT,
    captured TINYINT,
    lost TINYINT,
    losses SMALLINT,
    decided TINYINT,
    retreat_year SMALLINT
);

create table empty.units (
    experiment VARCHAR,
    rulebook VARCHAR,
    cell INTEGER,
    replication INTEGER,
    turn SMALLINT,
    unit VARCHAR,
    nation VARCHAR,
    status VARCHAR,
    region VARCHAR,
    due TINYINT,
    rank SMALLINT
);

create table empty.territory (
    experiment VARCHAR,
    rulebook VARCHAR,
    cell INTEGER,
    replication INTEGER,
    turn SMALLINT,
    place VARCHAR,
    holder VARCHAR,
    garrison BOOLEAN,
    units TINYINT,
    front BOOLEAN
);

create table empty.events (
    experiment VARCHAR,
    rulebook VARCHAR,
    cell INTEGER,
    replication INTEGER,
    turn SMALLINT,
    seq INTEGER,
    kind VARCHAR,
    side VARCHAR,
    actor VARCHAR,
    target VARCHAR,
    weapon VARCHAR,
    mode VARCHAR,
    range_m INTEGER,
    facing VARCHAR,
    value DOUBLE,
    dice TINYINT,
    result VARCHAR,
    losses INTEGER,
    place VARCHAR,
    origin VARCHAR,
    units TINYINT,
    modifier TINYINT,
    captured BOOLEAN,
    isolated TINYINT
);

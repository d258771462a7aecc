-- What an archive says of its experiments, and of what its cells are.

create table experiments (
    experiment varchar,     -- name and first digits of the id: the key in every table
    name varchar,
    label varchar,          -- a night's date, or whatever the experiment was labelled with
    created varchar,
    seed ubigint,
    version varchar,        -- of Duosuan, when it was created
    code varchar,           -- hash of the rules and policies that played
    record varchar,         -- how much was recorded: games, turns, units or events
    sample_level varchar,   -- how much of one game in sample_every
    sample_every integer,
    games_planned bigint,
    games bigint,           -- that are there, failed ones included
    failed bigint,
    complete boolean
);

create table empty.cells (
    experiment varchar,
    cell integer,           -- number of the cell in its experiment
    content varchar,        -- hash of all that a game of the cell depends on but its dice
    rulebook varchar,
    scenario varchar,       -- rulebook/name
    red_policy varchar,
    blue_policy varchar,
    seed ubigint            -- of the cell's dice
);

-- Views on the tables' views.

-- Games that came to an end, one row each. What is asked of games is asked of these.
create view games as
select * from files_games where end_reason <> 'failed';

-- Games that could not go on, because a policy answered with something that the rules forbid.
create view failed_games as
select * from files_games where end_reason = 'failed';

-- Games with the level at which each was recorded: a sample may be recorded more fully than the rest.
create view recorded_games as
select
    games.*,
    case when replication % sample_every = 0 then sample_level else record end as recorded
from games join experiments using (experiment);

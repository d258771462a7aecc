-- Every game that is in a finished shard.
create view files_games as
select * from empty.games
union all by name
select * from read_parquet(
    getvariable('games_files'), union_by_name = true, hive_partitioning = true, hive_types_autocast = false
);

-- What happened, in the order in which it happened. Failed games have no rows here.
create view events as
select * from empty.events
union all by name
select * from read_parquet(
    getvariable('events_files'), union_by_name = true, hive_partitioning = true, hive_types_autocast = false
);

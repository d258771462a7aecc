-- How each side stood after each turn, one row each. Failed games have no rows here.
create view turns as
select * from empty.turns
union all by name
select * from read_parquet(
    getvariable('turns_files'), union_by_name = true, hive_partitioning = true, hive_types_autocast = false
);

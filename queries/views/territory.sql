-- Who held each place after each turn, one row each. Failed games have no rows here.
create view territory as
select * from empty.territory
union all by name
select * from read_parquet(
    getvariable('territory_files'), union_by_name = true, hive_partitioning = true, hive_types_autocast = false
);

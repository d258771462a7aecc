-- Every unit after each turn, one row each. Failed games have no rows here.
create view units as
select * from empty.units
union all by name
select * from read_parquet(
    getvariable('units_files'), union_by_name = true, hive_partitioning = true, hive_types_autocast = false
);

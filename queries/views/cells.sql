-- Cells: scenario, pairing and design point of each number, with a column for each factor.
create view cells as
select * from empty.cells
union all by name
select * from read_parquet(
    getvariable('cells_files'), union_by_name = true, hive_partitioning = true, hive_types_autocast = false
);

-- Energy Profiler, version 10 of the run database: what it adds to version 9.

-- Standard deviation of a sum over tokens; NULL in runs that were saved by earlier versions.
ALTER TABLE component_totals ADD COLUMN energy_sd_mj REAL;

-- Energy Profiler, version 4 of the run database: what it adds to version 3.

-- How the program carried the run out.
ALTER TABLE profiling_runs ADD COLUMN execution_attention TEXT NOT NULL DEFAULT '';
ALTER TABLE profiling_runs ADD COLUMN execution_cache TEXT NOT NULL DEFAULT '';
ALTER TABLE profiling_runs ADD COLUMN execution_peak_cache_bytes INTEGER;
ALTER TABLE profiling_runs ADD COLUMN execution_notes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(execution_notes));

-- Energy Profiler, version 15 of the run database: what it adds to version 14.

ALTER TABLE profiling_runs ADD COLUMN annotations TEXT NOT NULL DEFAULT '[]';

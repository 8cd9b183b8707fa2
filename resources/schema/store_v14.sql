-- Energy Profiler, version 14 of the run database: what it adds to version 13.

-- Whether others disturbed a token; NULL in runs of earlier versions and of other sources.
ALTER TABLE tokens ADD COLUMN processor_ns INTEGER;
ALTER TABLE tokens ADD COLUMN preemptions INTEGER;
ALTER TABLE profiling_runs ADD COLUMN joules_per_typical_token REAL;

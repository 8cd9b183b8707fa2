-- Energy Profiler, version 8 of the run database: what it adds to version 7.

ALTER TABLE profiling_runs ADD COLUMN execution_model_ready_ns INTEGER;

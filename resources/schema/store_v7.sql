-- Energy Profiler, version 7 of the run database: what it adds to version 6.

-- A figure of the run, as in run_summary.schema.json.
ALTER TABLE profiling_runs ADD COLUMN inter_token_p95_ns INTEGER;

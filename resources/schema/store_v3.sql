-- Energy Profiler, version 3 of the run database.
--
-- The speed of the prefill, also for runs of before. A server's runs stay without: they do not tell
-- how much of the prompt the server had in its cache.
ALTER TABLE profiling_runs ADD COLUMN prefill_tokens_per_second REAL;
UPDATE profiling_runs SET prefill_tokens_per_second = (
    SELECT profiling_runs.input_tokens * 1e9 / phases.duration_ns FROM phases
    WHERE phases.run_id = profiling_runs.id AND phase = 'prefill' AND phases.duration_ns > 0
    ORDER BY phases.id LIMIT 1)
WHERE input_tokens > 0 AND json_extract(profiling_record, '$.server') IS NULL;

-- Energy Profiler, version 16 of the run database: what it adds to version 15.

-- Messages, tools and template variables of the first sequence, as JSON; empty: a plain prompt.
ALTER TABLE profiling_runs ADD COLUMN conversation TEXT NOT NULL DEFAULT '';

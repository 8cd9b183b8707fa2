-- Energy Profiler, version 5 of the run database: what it adds to version 4.

-- How the run was watched and what the watching took, as JSON.
ALTER TABLE profiling_runs ADD COLUMN profiling_record TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(profiling_record));

-- Statistics of the outputs of sections.
ALTER TABLE pipeline_sections ADD COLUMN activation_mean REAL;
ALTER TABLE pipeline_sections ADD COLUMN activation_std REAL;
ALTER TABLE pipeline_sections ADD COLUMN activation_max REAL;
ALTER TABLE pipeline_sections ADD COLUMN activation_sparsity REAL;

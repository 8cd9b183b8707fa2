-- Energy Profiler, version 3 of the run database: what it adds to version 2.

-- How the energies were obtained, as JSON: baseline, quality, attribution; other sensors with their
-- samples.
ALTER TABLE profiling_runs ADD COLUMN energy_record TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(energy_record));
ALTER TABLE profiling_runs ADD COLUMN secondary_sources TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(secondary_sources));
ALTER TABLE profiling_runs ADD COLUMN energy_sd_mj REAL;
ALTER TABLE profiling_runs ADD COLUMN energy_alternative_mj REAL;

ALTER TABLE phases ADD COLUMN energy_sd_mj REAL;
ALTER TABLE phases ADD COLUMN energy_alternative_mj REAL;
ALTER TABLE pipeline_sections ADD COLUMN energy_sd_mj REAL;
ALTER TABLE pipeline_sections ADD COLUMN energy_alternative_mj REAL;
ALTER TABLE tokens ADD COLUMN energy_sd_mj REAL;
ALTER TABLE tokens ADD COLUMN energy_alternative_mj REAL;
ALTER TABLE layer_metrics ADD COLUMN energy_sd_mj REAL;
ALTER TABLE layer_metrics ADD COLUMN energy_alternative_mj REAL;
ALTER TABLE component_metrics ADD COLUMN energy_sd_mj REAL;
ALTER TABLE component_metrics ADD COLUMN energy_alternative_mj REAL;
ALTER TABLE deep_operation_metrics ADD COLUMN energy_sd_mj REAL;
ALTER TABLE deep_operation_metrics ADD COLUMN energy_alternative_mj REAL;

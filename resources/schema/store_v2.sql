-- Energy Profiler, version 2 of the run database: what it adds to version 1.

ALTER TABLE profiling_runs ADD COLUMN title TEXT NOT NULL DEFAULT '';
ALTER TABLE profiling_runs ADD COLUMN notes TEXT NOT NULL DEFAULT '';
ALTER TABLE profiling_runs ADD COLUMN batch TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(batch));
ALTER TABLE profiling_runs ADD COLUMN chat_template INTEGER NOT NULL DEFAULT 0;
ALTER TABLE profiling_runs ADD COLUMN sampling_min_p REAL DEFAULT 0.0;
ALTER TABLE profiling_runs ADD COLUMN sampling_repetition_penalty REAL DEFAULT 1.0;
ALTER TABLE profiling_runs ADD COLUMN sampling_stop TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(sampling_stop));
ALTER TABLE profiling_runs ADD COLUMN model_active_parameters INTEGER NOT NULL DEFAULT 0;
ALTER TABLE profiling_runs ADD COLUMN model_embedding_parameters INTEGER NOT NULL DEFAULT 0;
ALTER TABLE profiling_runs ADD COLUMN model_attention_parameters INTEGER NOT NULL DEFAULT 0;
ALTER TABLE profiling_runs ADD COLUMN model_mlp_parameters INTEGER NOT NULL DEFAULT 0;
ALTER TABLE profiling_runs ADD COLUMN model_experts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE profiling_runs ADD COLUMN model_experts_per_token INTEGER NOT NULL DEFAULT 0;
ALTER TABLE profiling_runs ADD COLUMN model_kv_bytes_per_token INTEGER NOT NULL DEFAULT 0;
ALTER TABLE profiling_runs ADD COLUMN model_stored_dtype TEXT NOT NULL DEFAULT '';
ALTER TABLE profiling_runs ADD COLUMN model_quantization TEXT NOT NULL DEFAULT '';
ALTER TABLE profiling_runs ADD COLUMN model_fingerprint TEXT NOT NULL DEFAULT '';
ALTER TABLE profiling_runs ADD COLUMN stored_bytes INTEGER;
ALTER TABLE profiling_runs ADD COLUMN trash_pid INTEGER;
ALTER TABLE profiling_runs ADD COLUMN trash_mark TEXT;

CREATE INDEX profiling_runs_trash ON profiling_runs (trash_pid) WHERE trash_pid IS NOT NULL;

ALTER TABLE tokens ADD COLUMN sequences INTEGER NOT NULL DEFAULT 1;

ALTER TABLE pipeline_sections ADD COLUMN flops_estimate INTEGER;
ALTER TABLE pipeline_sections ADD COLUMN bytes_estimate INTEGER;
ALTER TABLE component_metrics ADD COLUMN flops_estimate INTEGER;
ALTER TABLE component_metrics ADD COLUMN bytes_estimate INTEGER;
ALTER TABLE deep_operation_metrics ADD COLUMN bytes_estimate INTEGER;

-- Each part of each layer over all tokens, so that a heatmap needs no look at the parts themselves.
CREATE TABLE component_totals (
    run_id TEXT NOT NULL REFERENCES profiling_runs (id) ON DELETE CASCADE,
    layer_index INTEGER NOT NULL,
    component_name TEXT NOT NULL,
    token_count INTEGER NOT NULL,
    span_count INTEGER NOT NULL,
    duration_ns INTEGER NOT NULL,
    time_ms REAL GENERATED ALWAYS AS (duration_ns / 1e6) VIRTUAL,
    energy_mj REAL,
    energy_provenance TEXT NOT NULL,
    energy_span_count INTEGER NOT NULL,
    energy_duration_ns INTEGER NOT NULL,
    stats_span_count INTEGER NOT NULL,
    activation_mean REAL,
    activation_std REAL,
    activation_max REAL,
    activation_sparsity REAL,
    flops_estimate INTEGER,
    bytes_estimate INTEGER,
    PRIMARY KEY (run_id, layer_index, component_name)
) STRICT, WITHOUT ROWID;

INSERT INTO component_totals (run_id, layer_index, component_name, token_count, span_count,
    duration_ns, energy_mj, energy_provenance, energy_span_count, energy_duration_ns,
    stats_span_count, activation_mean, activation_std, activation_max, activation_sparsity)
SELECT t.run_id, l.layer_index, c.component_name, count(DISTINCT t.id), count(*),
    sum(c.duration_ns), sum(c.energy_mj),
    CASE WHEN count(c.energy_mj) = 0 THEN 'missing'
         WHEN max(c.energy_mj IS NOT NULL AND coalesce(t.energy_provenance, 'missing') = 'missing') THEN 'missing'
         WHEN max(c.energy_mj IS NOT NULL AND t.energy_provenance = 'modelled') THEN 'modelled'
         WHEN max(c.energy_mj IS NOT NULL AND t.energy_provenance = 'calibrated') THEN 'calibrated'
         ELSE 'attributed' END,
    count(c.energy_mj), coalesce(sum(CASE WHEN c.energy_mj IS NOT NULL THEN c.duration_ns END), 0),
    count(c.activation_mean), avg(c.activation_mean), avg(c.activation_std), max(c.activation_max),
    avg(c.activation_sparsity)
FROM tokens t
JOIN layer_metrics l ON l.token_id = t.id
JOIN component_metrics c ON c.layer_metric_id = l.id
WHERE c.start_ns IS NOT NULL
GROUP BY t.run_id, l.layer_index, c.component_name;

-- Version 1 did not write sizes down; these come from the mean lengths of its rows.
UPDATE profiling_runs SET stored_bytes = 1000 + length(prompt) + length(response)
    + 140 * (SELECT count(*) FROM power_samples s WHERE s.run_id = profiling_runs.id)
    + 130 * (SELECT count(*) FROM pipeline_sections s WHERE s.run_id = profiling_runs.id)
    + 150 * (SELECT count(*) FROM tokens t WHERE t.run_id = profiling_runs.id)
    + 100 * (SELECT count(*) FROM tokens t JOIN layer_metrics l ON l.token_id = t.id
             WHERE t.run_id = profiling_runs.id)
    + 90 * coalesce((SELECT sum(span_count) FROM component_totals c WHERE c.run_id = profiling_runs.id), 0)
    + 90 * (SELECT count(*) FROM tokens t JOIN layer_metrics l ON l.token_id = t.id
            JOIN component_metrics c ON c.layer_metric_id = l.id
            JOIN deep_operation_metrics o ON o.component_metric_id = c.id
            WHERE t.run_id = profiling_runs.id)
WHERE status <> 'running';

-- Energy Profiler, version 1 of the run database. Explained column by column in docs/schema.md.
--
-- Exact times are integer nanoseconds: start_ns counts from the begin of the run (samples taken
-- before it are negative), duration_ns is the length. The *_ms columns are computed from them and
-- take no room. Energies are mJ, powers mW; NULL means "not known", never zero.

CREATE TABLE profiling_runs (
    id TEXT NOT NULL PRIMARY KEY,
    status TEXT NOT NULL CHECK (status IN ('running', 'complete', 'cancelled', 'failed', 'interrupted')),
    status_message TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    created_at TEXT GENERATED ALWAYS AS
        (strftime('%Y-%m-%dT%H:%M:%fZ', created_at_ms / 1000.0, 'unixepoch')) VIRTUAL,
    prompt TEXT NOT NULL,
    response TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    max_new_tokens INTEGER NOT NULL,
    depth TEXT NOT NULL,
    device TEXT NOT NULL,
    dtype TEXT NOT NULL,
    sparsity_threshold REAL,
    sampling_temperature REAL,
    sampling_top_k INTEGER NOT NULL,
    sampling_top_p REAL,
    sampling_seed INTEGER NOT NULL,
    tags TEXT NOT NULL CHECK (json_valid(tags)),
    experiment_name TEXT NOT NULL,

    model_name TEXT NOT NULL,
    model_path TEXT NOT NULL,
    model_architecture TEXT NOT NULL,
    model_parameters INTEGER NOT NULL,
    model_layers INTEGER NOT NULL,
    model_hidden_size INTEGER NOT NULL,
    model_intermediate_size INTEGER NOT NULL,
    model_attention_heads INTEGER NOT NULL,
    model_kv_heads INTEGER NOT NULL,
    model_head_dim INTEGER NOT NULL,
    model_vocabulary_size INTEGER NOT NULL,
    model_context_length INTEGER NOT NULL,
    model_weight_bytes INTEGER NOT NULL,

    power_source TEXT NOT NULL,
    power_detail TEXT NOT NULL,
    power_notice TEXT NOT NULL,
    power_asked_interval_ms INTEGER,
    power_sample_count INTEGER,
    power_median_interval_ms REAL,
    power_p95_interval_ms REAL,
    power_largest_gap_ms REAL,
    power_coverage REAL,

    app_version TEXT NOT NULL,
    os TEXT NOT NULL,
    machine TEXT NOT NULL,
    cpu TEXT NOT NULL,
    threads INTEGER NOT NULL,
    torch_version TEXT NOT NULL,
    blas TEXT NOT NULL,

    clock_start_ns INTEGER,
    clock_duration_ns INTEGER,
    duration_ns INTEGER NOT NULL,
    total_duration_ms REAL GENERATED ALWAYS AS (duration_ns / 1e6) VIRTUAL,
    total_energy_mj REAL,
    energy_provenance TEXT NOT NULL,
    cpu_energy_mj REAL,
    gpu_energy_mj REAL,
    ane_energy_mj REAL,
    dram_energy_mj REAL,
    system_energy_mj REAL,
    tokens_per_second REAL,
    time_to_first_token_ns INTEGER,
    joules_per_token REAL,
    joules_per_input_token REAL,
    joules_per_output_token REAL,
    tokens_per_joule REAL,
    mean_power_mw REAL,
    peak_power_mw REAL,
    edp_joule_seconds REAL,

    writer_pid INTEGER,
    writer_mark TEXT
) STRICT;

CREATE INDEX profiling_runs_by_date ON profiling_runs (created_at_ms);
CREATE INDEX profiling_runs_running ON profiling_runs (status) WHERE status = 'running';

CREATE TABLE power_samples (
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES profiling_runs (id) ON DELETE CASCADE,
    start_ns INTEGER NOT NULL,
    duration_ns INTEGER NOT NULL,
    arrival_ns INTEGER NOT NULL,
    timestamp_ms REAL GENERATED ALWAYS AS (start_ns / 1e6) VIRTUAL,
    cpu_power_mw REAL,
    gpu_power_mw REAL,
    ane_power_mw REAL,
    dram_power_mw REAL,
    system_power_mw REAL,
    total_power_mw REAL,
    cpu_energy_mj REAL,
    gpu_energy_mj REAL,
    ane_energy_mj REAL,
    dram_energy_mj REAL,
    system_energy_mj REAL,
    phase TEXT NOT NULL,
    phase_confidence REAL,
    modelled INTEGER NOT NULL
) STRICT;

CREATE INDEX power_samples_by_run ON power_samples (run_id);

CREATE TABLE phases (
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES profiling_runs (id) ON DELETE CASCADE,
    phase TEXT NOT NULL,
    start_ns INTEGER NOT NULL,
    duration_ns INTEGER NOT NULL,
    start_ms REAL GENERATED ALWAYS AS (start_ns / 1e6) VIRTUAL,
    end_ms REAL GENERATED ALWAYS AS ((start_ns + duration_ns) / 1e6) VIRTUAL,
    duration_ms REAL GENERATED ALWAYS AS (duration_ns / 1e6) VIRTUAL,
    energy_mj REAL,
    energy_provenance TEXT NOT NULL,
    cpu_energy_mj REAL,
    gpu_energy_mj REAL,
    ane_energy_mj REAL,
    dram_energy_mj REAL,
    system_energy_mj REAL
) STRICT;

CREATE INDEX phases_by_run ON phases (run_id);

CREATE TABLE pipeline_sections (
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES profiling_runs (id) ON DELETE CASCADE,
    phase TEXT NOT NULL,
    section_name TEXT NOT NULL,
    token_index INTEGER,
    start_ns INTEGER NOT NULL,
    duration_ns INTEGER NOT NULL,
    start_ms REAL GENERATED ALWAYS AS (start_ns / 1e6) VIRTUAL,
    end_ms REAL GENERATED ALWAYS AS ((start_ns + duration_ns) / 1e6) VIRTUAL,
    duration_ms REAL GENERATED ALWAYS AS (duration_ns / 1e6) VIRTUAL,
    energy_mj REAL,
    energy_provenance TEXT NOT NULL,
    cpu_energy_mj REAL,
    gpu_energy_mj REAL,
    ane_energy_mj REAL,
    dram_energy_mj REAL,
    system_energy_mj REAL
) STRICT;

CREATE INDEX pipeline_sections_by_run ON pipeline_sections (run_id);

-- A step that was cut short has a row with a NULL vocabulary_id, so that its layers have a parent.
CREATE TABLE tokens (
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES profiling_runs (id) ON DELETE CASCADE,
    token_index INTEGER NOT NULL,
    position INTEGER,
    vocabulary_id INTEGER,
    text TEXT,
    phase TEXT,
    probability REAL,
    start_ns INTEGER,
    duration_ns INTEGER,
    start_ms REAL GENERATED ALWAYS AS (start_ns / 1e6) VIRTUAL,
    duration_ms REAL GENERATED ALWAYS AS (duration_ns / 1e6) VIRTUAL,
    power_snapshot_mw REAL,
    energy_mj REAL,
    energy_provenance TEXT,
    cpu_energy_mj REAL,
    gpu_energy_mj REAL,
    ane_energy_mj REAL,
    dram_energy_mj REAL,
    system_energy_mj REAL
) STRICT;

CREATE INDEX tokens_by_run ON tokens (run_id);

-- Likewise a layer that was cut short: its start_ns is NULL.
CREATE TABLE layer_metrics (
    id INTEGER PRIMARY KEY,
    token_id INTEGER NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
    layer_index INTEGER NOT NULL,
    start_ns INTEGER,
    duration_ns INTEGER,
    total_time_ms REAL GENERATED ALWAYS AS (duration_ns / 1e6) VIRTUAL,
    attention_time_ms REAL,
    mlp_time_ms REAL,
    energy_mj REAL,
    activation_mean REAL,
    activation_std REAL,
    activation_max REAL,
    activation_sparsity REAL
) STRICT;

CREATE INDEX layer_metrics_by_token ON layer_metrics (token_id);

CREATE TABLE component_metrics (
    id INTEGER PRIMARY KEY,
    layer_metric_id INTEGER NOT NULL REFERENCES layer_metrics (id) ON DELETE CASCADE,
    component_name TEXT NOT NULL,
    start_ns INTEGER,
    duration_ns INTEGER,
    time_ms REAL GENERATED ALWAYS AS (duration_ns / 1e6) VIRTUAL,
    energy_mj REAL,
    activation_mean REAL,
    activation_std REAL,
    activation_max REAL,
    activation_sparsity REAL
) STRICT;

CREATE INDEX component_metrics_by_layer ON component_metrics (layer_metric_id);

CREATE TABLE deep_operation_metrics (
    id INTEGER PRIMARY KEY,
    component_metric_id INTEGER NOT NULL REFERENCES component_metrics (id) ON DELETE CASCADE,
    operation_name TEXT NOT NULL,
    start_ns INTEGER NOT NULL,
    duration_ns INTEGER NOT NULL,
    time_ms REAL GENERATED ALWAYS AS (duration_ns / 1e6) VIRTUAL,
    energy_mj REAL,
    flops_estimate INTEGER,
    tensor_mean REAL,
    tensor_std REAL,
    tensor_max REAL,
    tensor_sparsity REAL,
    extra_metrics TEXT CHECK (extra_metrics IS NULL OR json_valid(extra_metrics))
) STRICT;

CREATE INDEX deep_operation_metrics_by_component ON deep_operation_metrics (component_metric_id);

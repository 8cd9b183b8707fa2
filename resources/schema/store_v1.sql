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
    chat_template INTEGER NOT NULL DEFAULT 0,
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
    sampling_min_p REAL DEFAULT 0.0,
    sampling_repetition_penalty REAL DEFAULT 1.0,
    sampling_stop TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(sampling_stop)),
    tags TEXT NOT NULL CHECK (json_valid(tags)),
    experiment_name TEXT NOT NULL,
    title TEXT NOT NULL DEFAULT '',

    model_name TEXT NOT NULL,
    model_path TEXT NOT NULL,
    model_architecture TEXT NOT NULL,
    model_parameters INTEGER NOT NULL,
    model_active_parameters INTEGER NOT NULL DEFAULT 0,
    model_embedding_parameters INTEGER NOT NULL DEFAULT 0,
    model_attention_parameters INTEGER NOT NULL DEFAULT 0,
    model_mlp_parameters INTEGER NOT NULL DEFAULT 0,
    model_experts INTEGER NOT NULL DEFAULT 0,
    model_experts_per_token INTEGER NOT NULL DEFAULT 0,
    model_layers INTEGER NOT NULL,
    model_hidden_size INTEGER NOT NULL,
    model_intermediate_size INTEGER NOT NULL,
    model_attention_heads INTEGER NOT NULL,
    model_kv_heads INTEGER NOT NULL,
    model_head_dim INTEGER NOT NULL,
    model_vocabulary_size INTEGER NOT NULL,
    model_context_length INTEGER NOT NULL,
    model_weight_bytes INTEGER NOT NULL,
    model_kv_bytes_per_token INTEGER NOT NULL DEFAULT 0,
    model_stored_dtype TEXT NOT NULL DEFAULT '',
    model_quantization TEXT NOT NULL DEFAULT '',
    model_fingerprint TEXT NOT NULL DEFAULT '',

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
    execution_attention TEXT NOT NULL DEFAULT '',
    execution_cache TEXT NOT NULL DEFAULT '',
    execution_peak_cache_bytes INTEGER,
    execution_model_ready_ns INTEGER,

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
    energy_sd_mj REAL,
    energy_alternative_mj REAL,
    tokens_per_second REAL,
    time_to_first_token_ns INTEGER,
    inter_token_p95_ns INTEGER,
    joules_per_token REAL,
    joules_per_typical_token REAL,
    joules_per_input_token REAL,
    joules_per_output_token REAL,
    tokens_per_joule REAL,
    mean_power_mw REAL,
    peak_power_mw REAL,
    edp_joule_seconds REAL,

    writer_pid INTEGER,
    writer_mark TEXT,
    trash_pid INTEGER,
    trash_mark TEXT,
    stored_bytes INTEGER,

    -- Last, since SQLite reads a row from its begin: what comes before them costs nothing more.
    prompt TEXT NOT NULL,
    response TEXT NOT NULL,
    conversation TEXT NOT NULL DEFAULT '',
    batch TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(batch)),
    notes TEXT NOT NULL DEFAULT '',
    annotations TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(annotations)),
    secondary_sources TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(secondary_sources)),
    execution_notes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(execution_notes)),
    profiling_record TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(profiling_record)),
    energy_record TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(energy_record))
) STRICT;

CREATE INDEX profiling_runs_by_date ON profiling_runs (created_at_ms);
CREATE INDEX profiling_runs_running ON profiling_runs (status) WHERE status = 'running';
CREATE INDEX profiling_runs_trash ON profiling_runs (trash_pid) WHERE trash_pid IS NOT NULL;

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
    system_energy_mj REAL,
    energy_sd_mj REAL,
    energy_alternative_mj REAL
) STRICT;

CREATE INDEX phases_by_run ON phases (run_id);

-- A step that was cut short has a row with a NULL vocabulary_id, so that its layers have a parent.
CREATE TABLE tokens (
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES profiling_runs (id) ON DELETE CASCADE,
    token_index INTEGER NOT NULL,
    position INTEGER,
    sequences INTEGER NOT NULL DEFAULT 1,
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
    system_energy_mj REAL,
    energy_sd_mj REAL,
    energy_alternative_mj REAL,
    processor_ns INTEGER,
    preemptions INTEGER
) STRICT;

CREATE INDEX tokens_by_run ON tokens (run_id);

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
    energy_sd_mj REAL,
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

-- Sections, layers, components and operations are packed: a row of `packs` holds the spans of one
-- step, a few bytes each, and tables of spans are views of it. The bytes are explained in
-- docs/schema.md. The views decode them with plain SQL, so that any program can read them: a byte is
-- its place in pack_codec.byte_order, an integer the sum of its bytes, and a floating-point number
-- its mantissa times a power of two, of which pack_numbers.scale has every 32nd.
CREATE TABLE pack_shapes (
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES profiling_runs (id) ON DELETE CASCADE
) STRICT;

CREATE INDEX pack_shapes_by_run ON pack_shapes (run_id);

CREATE TABLE pack_spans (
    shape_id INTEGER NOT NULL REFERENCES pack_shapes (id) ON DELETE CASCADE,
    span INTEGER NOT NULL,
    parent INTEGER,
    phase TEXT,
    section_name TEXT,
    layer_index INTEGER,
    component_name TEXT,
    operation_name TEXT,
    flops_estimate INTEGER,
    bytes_estimate INTEGER,
    start_bytes INTEGER NOT NULL,
    duration_bytes INTEGER NOT NULL,
    count_bytes INTEGER NOT NULL,
    entropy_heads INTEGER NOT NULL,
    weight_heads INTEGER NOT NULL,
    sparsity_heads INTEGER NOT NULL,
    start_at INTEGER,
    duration_at INTEGER,
    energy_at INTEGER,
    provenance_at INTEGER,
    cpu_at INTEGER,
    gpu_at INTEGER,
    ane_at INTEGER,
    dram_at INTEGER,
    system_at INTEGER,
    sd_at INTEGER,
    alternative_at INTEGER,
    attention_at INTEGER,
    mlp_at INTEGER,
    stats_at INTEGER,
    flops_at INTEGER,
    bytes_at INTEGER,
    killed_at INTEGER,
    variance_at INTEGER,
    expert_at INTEGER,
    rows_at INTEGER,
    entropy_at INTEGER,
    weight_at INTEGER,
    sparsity_at INTEGER,
    PRIMARY KEY (shape_id, span)
) STRICT, WITHOUT ROWID;

CREATE TABLE packs (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    run_id TEXT REFERENCES profiling_runs (id) ON DELETE CASCADE,
    token_id INTEGER REFERENCES tokens (id) ON DELETE CASCADE,
    shape_id INTEGER NOT NULL,
    origin_ns INTEGER NOT NULL,
    data BLOB NOT NULL
) STRICT;

CREATE INDEX packs_by_run ON packs (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX packs_by_token ON packs (token_id, kind) WHERE token_id IS NOT NULL;

CREATE TABLE pack_codec (byte_order BLOB NOT NULL) STRICT;

INSERT INTO pack_codec VALUES (
    x'000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff');

-- n: 0 to 1023; scale: 2 to the power of 32 n - 1074, where that is a number
CREATE TABLE pack_numbers (n INTEGER PRIMARY KEY, scale REAL) STRICT;

WITH RECURSIVE
    tiny (n, x) AS (SELECT 0, 1.0 UNION ALL SELECT n + 1, x / 2 FROM tiny WHERE n < 1074),
    numbers (n, scale) AS (
        SELECT 0, x FROM tiny WHERE n = 1074
        UNION ALL SELECT n + 1, CASE WHEN n < 63 THEN scale * 4294967296.0 END FROM numbers WHERE n < 1023)
INSERT INTO pack_numbers SELECT n, scale FROM numbers;

CREATE VIEW pipeline_sections AS SELECT
    (p.id << 24) | s.span AS id,
    p.run_id AS run_id,
    s.phase AS phase,
    s.section_name AS section_name,
    (SELECT token_index FROM tokens t WHERE t.id = p.token_id) AS token_index,
    p.origin_ns + (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2,
        1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4,
        1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6,
        1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8,
        1)) - 1) << 56) FROM (SELECT substr(p.data, s.start_at, s.start_bytes) AS cell, byte_order FROM pack_codec))
        AS start_ns,
    (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8)
        | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24)
        | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40)
        | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56)
        FROM (SELECT substr(p.data, s.duration_at, s.duration_bytes) AS cell, byte_order FROM pack_codec)) AS
        duration_ns,
    (p.origin_ns + (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2,
        1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4,
        1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6,
        1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8,
        1)) - 1) << 56) FROM (SELECT substr(p.data, s.start_at, s.start_bytes) AS cell, byte_order FROM
        pack_codec))) / 1e6 AS start_ms,
    (p.origin_ns + (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2,
        1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4,
        1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6,
        1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8,
        1)) - 1) << 56) FROM (SELECT substr(p.data, s.start_at, s.start_bytes) AS cell, byte_order FROM pack_codec))
        + (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1)
        << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1)
        << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6, 1)) - 1)
        << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8, 1)) - 1)
        << 56) FROM (SELECT substr(p.data, s.duration_at, s.duration_bytes) AS cell, byte_order FROM pack_codec))) /
        1e6 AS end_ms,
    ((SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8)
        | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24)
        | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40)
        | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56)
        FROM (SELECT substr(p.data, s.duration_at, s.duration_bytes) AS cell, byte_order FROM pack_codec))) / 1e6 AS
        duration_ms,
    (SELECT CASE WHEN e < 2047 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 52)) * (1 << ((max(e, 1) - 1) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) - 1) >> 5) END FROM (SELECT (u >> 63) & 1 AS s, (u >>
        52) & 2047 AS e, u & 4503599627370495 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) |
        ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) |
        ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56) AS u FROM (SELECT substr(p.data, s.energy_at, 8) AS
        cell, byte_order FROM pack_codec)))) AS energy_mj,
    CASE (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1)
        << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1)
        << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6, 1)) - 1)
        << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8, 1)) - 1)
        << 56) FROM (SELECT substr(p.data, s.provenance_at, 1) AS cell, byte_order FROM pack_codec)) WHEN 0 THEN
        'measured' WHEN 1 THEN 'attributed' WHEN 2 THEN 'calibrated' WHEN 3 THEN 'modelled' ELSE 'missing' END AS
        energy_provenance,
    (SELECT CASE WHEN e < 2047 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 52)) * (1 << ((max(e, 1) - 1) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) - 1) >> 5) END FROM (SELECT (u >> 63) & 1 AS s, (u >>
        52) & 2047 AS e, u & 4503599627370495 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) |
        ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) |
        ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56) AS u FROM (SELECT substr(p.data, s.cpu_at, 8) AS cell,
        byte_order FROM pack_codec)))) AS cpu_energy_mj,
    (SELECT CASE WHEN e < 2047 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 52)) * (1 << ((max(e, 1) - 1) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) - 1) >> 5) END FROM (SELECT (u >> 63) & 1 AS s, (u >>
        52) & 2047 AS e, u & 4503599627370495 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) |
        ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) |
        ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56) AS u FROM (SELECT substr(p.data, s.gpu_at, 8) AS cell,
        byte_order FROM pack_codec)))) AS gpu_energy_mj,
    (SELECT CASE WHEN e < 2047 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 52)) * (1 << ((max(e, 1) - 1) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) - 1) >> 5) END FROM (SELECT (u >> 63) & 1 AS s, (u >>
        52) & 2047 AS e, u & 4503599627370495 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) |
        ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) |
        ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56) AS u FROM (SELECT substr(p.data, s.ane_at, 8) AS cell,
        byte_order FROM pack_codec)))) AS ane_energy_mj,
    (SELECT CASE WHEN e < 2047 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 52)) * (1 << ((max(e, 1) - 1) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) - 1) >> 5) END FROM (SELECT (u >> 63) & 1 AS s, (u >>
        52) & 2047 AS e, u & 4503599627370495 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) |
        ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) |
        ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56) AS u FROM (SELECT substr(p.data, s.dram_at, 8) AS cell,
        byte_order FROM pack_codec)))) AS dram_energy_mj,
    (SELECT CASE WHEN e < 2047 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 52)) * (1 << ((max(e, 1) - 1) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) - 1) >> 5) END FROM (SELECT (u >> 63) & 1 AS s, (u >>
        52) & 2047 AS e, u & 4503599627370495 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) |
        ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) |
        ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56) AS u FROM (SELECT substr(p.data, s.system_at, 8) AS
        cell, byte_order FROM pack_codec)))) AS system_energy_mj,
    coalesce(s.flops_estimate, (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order,
        substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order,
        substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order,
        substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order,
        substr(cell, 8, 1)) - 1) << 56) FROM (SELECT substr(p.data, s.flops_at, s.count_bytes) AS cell, byte_order
        FROM pack_codec))) AS flops_estimate,
    coalesce(s.bytes_estimate, (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order,
        substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order,
        substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order,
        substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order,
        substr(cell, 8, 1)) - 1) << 56) FROM (SELECT substr(p.data, s.bytes_at, s.count_bytes) AS cell, byte_order
        FROM pack_codec))) AS bytes_estimate,
    (SELECT CASE WHEN e < 2047 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 52)) * (1 << ((max(e, 1) - 1) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) - 1) >> 5) END FROM (SELECT (u >> 63) & 1 AS s, (u >>
        52) & 2047 AS e, u & 4503599627370495 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) |
        ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) |
        ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56) AS u FROM (SELECT substr(p.data, s.sd_at, 8) AS cell,
        byte_order FROM pack_codec)))) AS energy_sd_mj,
    (SELECT CASE WHEN e < 2047 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 52)) * (1 << ((max(e, 1) - 1) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) - 1) >> 5) END FROM (SELECT (u >> 63) & 1 AS s, (u >>
        52) & 2047 AS e, u & 4503599627370495 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) |
        ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) |
        ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56) AS u FROM (SELECT substr(p.data, s.alternative_at, 8) AS
        cell, byte_order FROM pack_codec)))) AS energy_alternative_mj,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.stats_at + 0, 4) AS
        cell, byte_order FROM pack_codec)))) AS activation_mean,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.stats_at + 4, 4) AS
        cell, byte_order FROM pack_codec)))) AS activation_std,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.stats_at + 8, 4) AS
        cell, byte_order FROM pack_codec)))) AS activation_max,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.stats_at + 12, 4) AS
        cell, byte_order FROM pack_codec)))) AS activation_sparsity
FROM packs p JOIN pack_spans s ON s.shape_id = p.shape_id
WHERE p.kind = 'section';

CREATE VIEW layer_metrics AS SELECT
    (p.token_id << 24) | s.span AS id,
    p.token_id AS token_id,
    s.layer_index AS layer_index,
    p.origin_ns + (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2,
        1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4,
        1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6,
        1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8,
        1)) - 1) << 56) FROM (SELECT substr(p.data, s.start_at, s.start_bytes) AS cell, byte_order FROM pack_codec))
        AS start_ns,
    (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8)
        | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24)
        | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40)
        | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56)
        FROM (SELECT substr(p.data, s.duration_at, s.duration_bytes) AS cell, byte_order FROM pack_codec)) AS
        duration_ns,
    ((SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8)
        | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24)
        | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40)
        | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56)
        FROM (SELECT substr(p.data, s.duration_at, s.duration_bytes) AS cell, byte_order FROM pack_codec))) / 1e6 AS
        total_time_ms,
    ((SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8)
        | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24)
        | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40)
        | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56)
        FROM (SELECT substr(p.data, s.attention_at, s.count_bytes) AS cell, byte_order FROM pack_codec))) / 1e6 AS
        attention_time_ms,
    ((SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8)
        | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24)
        | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40)
        | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56)
        FROM (SELECT substr(p.data, s.mlp_at, s.count_bytes) AS cell, byte_order FROM pack_codec))) / 1e6 AS
        mlp_time_ms,
    (SELECT CASE WHEN e < 2047 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 52)) * (1 << ((max(e, 1) - 1) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) - 1) >> 5) END FROM (SELECT (u >> 63) & 1 AS s, (u >>
        52) & 2047 AS e, u & 4503599627370495 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) |
        ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) |
        ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56) AS u FROM (SELECT substr(p.data, s.energy_at, 8) AS
        cell, byte_order FROM pack_codec)))) AS energy_mj,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.stats_at + 0, 4) AS
        cell, byte_order FROM pack_codec)))) AS activation_mean,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.stats_at + 4, 4) AS
        cell, byte_order FROM pack_codec)))) AS activation_std,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.stats_at + 8, 4) AS
        cell, byte_order FROM pack_codec)))) AS activation_max,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.stats_at + 12, 4) AS
        cell, byte_order FROM pack_codec)))) AS activation_sparsity,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.sd_at, 4) AS cell,
        byte_order FROM pack_codec)))) AS energy_sd_mj,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.alternative_at, 4) AS
        cell, byte_order FROM pack_codec)))) AS energy_alternative_mj,
    t.run_id AS run_id,
    t.token_index AS token_index
FROM packs p JOIN pack_spans s ON s.shape_id = p.shape_id
JOIN tokens t ON t.id = p.token_id
WHERE p.kind = 'layer';

CREATE VIEW component_metrics AS SELECT
    (p.token_id << 24) | s.span AS id,
    (p.token_id << 24) | s.parent AS layer_metric_id,
    s.component_name AS component_name,
    p.origin_ns + (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2,
        1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4,
        1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6,
        1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8,
        1)) - 1) << 56) FROM (SELECT substr(p.data, s.start_at, s.start_bytes) AS cell, byte_order FROM pack_codec))
        AS start_ns,
    (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8)
        | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24)
        | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40)
        | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56)
        FROM (SELECT substr(p.data, s.duration_at, s.duration_bytes) AS cell, byte_order FROM pack_codec)) AS
        duration_ns,
    ((SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8)
        | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24)
        | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40)
        | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56)
        FROM (SELECT substr(p.data, s.duration_at, s.duration_bytes) AS cell, byte_order FROM pack_codec))) / 1e6 AS
        time_ms,
    (SELECT CASE WHEN e < 2047 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 52)) * (1 << ((max(e, 1) - 1) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) - 1) >> 5) END FROM (SELECT (u >> 63) & 1 AS s, (u >>
        52) & 2047 AS e, u & 4503599627370495 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) |
        ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) |
        ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56) AS u FROM (SELECT substr(p.data, s.energy_at, 8) AS
        cell, byte_order FROM pack_codec)))) AS energy_mj,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.stats_at + 0, 4) AS
        cell, byte_order FROM pack_codec)))) AS activation_mean,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.stats_at + 4, 4) AS
        cell, byte_order FROM pack_codec)))) AS activation_std,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.stats_at + 8, 4) AS
        cell, byte_order FROM pack_codec)))) AS activation_max,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.stats_at + 12, 4) AS
        cell, byte_order FROM pack_codec)))) AS activation_sparsity,
    coalesce(s.flops_estimate, (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order,
        substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order,
        substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order,
        substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order,
        substr(cell, 8, 1)) - 1) << 56) FROM (SELECT substr(p.data, s.flops_at, s.count_bytes) AS cell, byte_order
        FROM pack_codec))) AS flops_estimate,
    coalesce(s.bytes_estimate, (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order,
        substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order,
        substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order,
        substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order,
        substr(cell, 8, 1)) - 1) << 56) FROM (SELECT substr(p.data, s.bytes_at, s.count_bytes) AS cell, byte_order
        FROM pack_codec))) AS bytes_estimate,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.sd_at, 4) AS cell,
        byte_order FROM pack_codec)))) AS energy_sd_mj,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.alternative_at, 4) AS
        cell, byte_order FROM pack_codec)))) AS energy_alternative_mj,
    t.run_id AS run_id,
    t.token_index AS token_index,
    s.layer_index AS layer_index,
    p.token_id AS token_id
FROM packs p JOIN pack_spans s ON s.shape_id = p.shape_id
JOIN tokens t ON t.id = p.token_id
WHERE p.kind = 'component';

CREATE VIEW deep_operation_metrics AS SELECT
    (p.token_id << 24) | s.span AS id,
    (p.token_id << 24) | s.parent AS component_metric_id,
    s.operation_name AS operation_name,
    p.origin_ns + (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2,
        1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4,
        1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6,
        1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8,
        1)) - 1) << 56) FROM (SELECT substr(p.data, s.start_at, s.start_bytes) AS cell, byte_order FROM pack_codec))
        AS start_ns,
    (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8)
        | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24)
        | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40)
        | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56)
        FROM (SELECT substr(p.data, s.duration_at, s.duration_bytes) AS cell, byte_order FROM pack_codec)) AS
        duration_ns,
    ((SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8)
        | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24)
        | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40)
        | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56)
        FROM (SELECT substr(p.data, s.duration_at, s.duration_bytes) AS cell, byte_order FROM pack_codec))) / 1e6 AS
        time_ms,
    (SELECT CASE WHEN e < 2047 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 52)) * (1 << ((max(e, 1) - 1) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) - 1) >> 5) END FROM (SELECT (u >> 63) & 1 AS s, (u >>
        52) & 2047 AS e, u & 4503599627370495 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) |
        ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) |
        ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56) AS u FROM (SELECT substr(p.data, s.energy_at, 8) AS
        cell, byte_order FROM pack_codec)))) AS energy_mj,
    coalesce(s.flops_estimate, (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order,
        substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order,
        substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order,
        substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order,
        substr(cell, 8, 1)) - 1) << 56) FROM (SELECT substr(p.data, s.flops_at, s.count_bytes) AS cell, byte_order
        FROM pack_codec))) AS flops_estimate,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.stats_at + 0, 4) AS
        cell, byte_order FROM pack_codec)))) AS tensor_mean,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.stats_at + 4, 4) AS
        cell, byte_order FROM pack_codec)))) AS tensor_std,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.stats_at + 8, 4) AS
        cell, byte_order FROM pack_codec)))) AS tensor_max,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.stats_at + 12, 4) AS
        cell, byte_order FROM pack_codec)))) AS tensor_sparsity,
    nullif(json_patch('{}', json_object('attention_entropy', (SELECT avg(x) FROM (SELECT (SELECT CASE WHEN e < 255
        THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) * (SELECT scale FROM
        pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >> 23) & 255 AS e, u
        & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order,
        substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order,
        substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.entropy_at + 4 * n, 4) AS cell,
        byte_order FROM pack_codec)))) AS x FROM pack_numbers WHERE n < s.entropy_heads)),
        'attention_entropy_heads', (SELECT json(nullif(json_group_array(x), '[]')) FROM (SELECT (SELECT CASE WHEN e
        < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) * (SELECT scale FROM
        pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >> 23) & 255 AS e, u
        & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order,
        substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order,
        substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.entropy_at + 4 * n, 4) AS cell,
        byte_order FROM pack_codec)))) AS x FROM pack_numbers WHERE n < s.entropy_heads)), 'max_attention_weight',
        (SELECT avg(x) FROM (SELECT (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 <<
        ((max(e, 1) + 924) & 31)) * (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM
        (SELECT (u >> 31) & 1 AS s, (u >> 23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order,
        substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order,
        substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT
        substr(p.data, s.weight_at + 4 * n, 4) AS cell, byte_order FROM pack_codec)))) AS x FROM pack_numbers WHERE
        n < s.weight_heads)), 'max_attention_weight_heads', (SELECT json(nullif(json_group_array(x), '[]')) FROM
        (SELECT (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924)
        & 31)) * (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS
        s, (u >> 23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.weight_at + 4 * n, 4)
        AS cell, byte_order FROM pack_codec)))) AS x FROM pack_numbers WHERE n < s.weight_heads)),
        'attention_sparsity', (SELECT avg(x) FROM (SELECT (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m +
        (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) * (SELECT scale FROM pack_numbers WHERE n = (max(e, 1)
        + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >> 23) & 255 AS e, u & 8388607 AS m FROM (SELECT
        ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) |
        ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS
        u FROM (SELECT substr(p.data, s.sparsity_at + 4 * n, 4) AS cell, byte_order FROM pack_codec)))) AS x FROM
        pack_numbers WHERE n < s.sparsity_heads)), 'attention_sparsity_heads', (SELECT
        json(nullif(json_group_array(x), '[]')) FROM (SELECT (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m +
        (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) * (SELECT scale FROM pack_numbers WHERE n = (max(e, 1)
        + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >> 23) & 255 AS e, u & 8388607 AS m FROM (SELECT
        ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) |
        ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS
        u FROM (SELECT substr(p.data, s.sparsity_at + 4 * n, 4) AS cell, byte_order FROM pack_codec)))) AS x FROM
        pack_numbers WHERE n < s.sparsity_heads)), 'activation_kill_ratio', (SELECT CASE WHEN e < 255 THEN (1.0 -
        2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) * (SELECT scale FROM pack_numbers WHERE
        n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >> 23) & 255 AS e, u & 8388607 AS m FROM
        (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1) <<
        8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1) <<
        24) AS u FROM (SELECT substr(p.data, s.killed_at, 4) AS cell, byte_order FROM pack_codec)))),
        'variance_ratio', (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e,
        1) + 924) & 31)) * (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >>
        31) & 1 AS s, (u >> 23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) -
        1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1)
        << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.variance_at,
        4) AS cell, byte_order FROM pack_codec)))), 'expert', (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1)
        << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) <<
        16) | ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) <<
        32) | ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) <<
        48) | ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56) FROM (SELECT substr(p.data, s.expert_at,
        s.count_bytes) AS cell, byte_order FROM pack_codec)), 'rows', (SELECT ((instr(byte_order, substr(cell, 1,
        1)) - 1) << 0) | ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3,
        1)) - 1) << 16) | ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5,
        1)) - 1) << 32) | ((instr(byte_order, substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7,
        1)) - 1) << 48) | ((instr(byte_order, substr(cell, 8, 1)) - 1) << 56) FROM (SELECT substr(p.data, s.rows_at,
        s.count_bytes) AS cell, byte_order FROM pack_codec)))), '{}') AS extra_metrics,
    coalesce(s.bytes_estimate, (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) | ((instr(byte_order,
        substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) | ((instr(byte_order,
        substr(cell, 4, 1)) - 1) << 24) | ((instr(byte_order, substr(cell, 5, 1)) - 1) << 32) | ((instr(byte_order,
        substr(cell, 6, 1)) - 1) << 40) | ((instr(byte_order, substr(cell, 7, 1)) - 1) << 48) | ((instr(byte_order,
        substr(cell, 8, 1)) - 1) << 56) FROM (SELECT substr(p.data, s.bytes_at, s.count_bytes) AS cell, byte_order
        FROM pack_codec))) AS bytes_estimate,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.sd_at, 4) AS cell,
        byte_order FROM pack_codec)))) AS energy_sd_mj,
    (SELECT CASE WHEN e < 255 THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << 23)) * (1 << ((max(e, 1) + 924) & 31)) *
        (SELECT scale FROM pack_numbers WHERE n = (max(e, 1) + 924) >> 5) END FROM (SELECT (u >> 31) & 1 AS s, (u >>
        23) & 255 AS e, u & 8388607 AS m FROM (SELECT ((instr(byte_order, substr(cell, 1, 1)) - 1) << 0) |
        ((instr(byte_order, substr(cell, 2, 1)) - 1) << 8) | ((instr(byte_order, substr(cell, 3, 1)) - 1) << 16) |
        ((instr(byte_order, substr(cell, 4, 1)) - 1) << 24) AS u FROM (SELECT substr(p.data, s.alternative_at, 4) AS
        cell, byte_order FROM pack_codec)))) AS energy_alternative_mj,
    t.run_id AS run_id,
    t.token_index AS token_index,
    s.layer_index AS layer_index,
    s.component_name AS component_name,
    p.token_id AS token_id
FROM packs p JOIN pack_spans s ON s.shape_id = p.shape_id
JOIN tokens t ON t.id = p.token_id
WHERE p.kind = 'operation';

-- Steps of studies that processes make now, so that any number of them divide the work.
CREATE TABLE study_claims (
    step TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    mark TEXT NOT NULL,
    beat_ms INTEGER NOT NULL
) STRICT;

-- How well a model in a number format predicts a text.
CREATE TABLE model_quality (
    id INTEGER PRIMARY KEY,
    model_name TEXT NOT NULL,
    model_fingerprint TEXT NOT NULL,
    dtype TEXT NOT NULL,
    device TEXT NOT NULL,
    text_name TEXT NOT NULL,
    text_hash TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    scored_tokens INTEGER NOT NULL,
    context INTEGER NOT NULL,
    stride INTEGER NOT NULL,
    nll REAL NOT NULL,
    perplexity REAL NOT NULL,
    kl_nats REAL,
    top1_agreement REAL,
    created_at_ms INTEGER NOT NULL,
    app_version TEXT NOT NULL,
    UNIQUE (model_name, model_fingerprint, dtype, device, text_hash, context, stride)
);

-- What a machine can do at most, and what work costs on it, measured.
CREATE TABLE machine_limits (
    machine TEXT NOT NULL,
    device TEXT NOT NULL,
    dtype TEXT NOT NULL,
    threads INTEGER NOT NULL,
    flops_per_second REAL NOT NULL,
    flops_per_second_sd REAL NOT NULL,
    bytes_per_second REAL NOT NULL,
    bytes_per_second_sd REAL NOT NULL,
    joules_per_flop REAL,
    joules_per_flop_sd REAL,
    joules_per_byte REAL,
    joules_per_byte_sd REAL,
    static_watts REAL,
    static_watts_sd REAL,
    source TEXT NOT NULL,
    measured_at_ms INTEGER NOT NULL,
    PRIMARY KEY (machine, device, dtype)
) STRICT;

-- Advice that was tried, with what had been predicted.
CREATE TABLE advice (
    experiment TEXT NOT NULL PRIMARY KEY,
    machine TEXT NOT NULL,
    run_id TEXT NOT NULL,
    lever TEXT NOT NULL,
    setting TEXT NOT NULL,
    of_time INTEGER NOT NULL,
    share REAL NOT NULL,
    share_sd REAL NOT NULL,
    created_at_ms INTEGER NOT NULL
) STRICT;

-- What calibrations found out, each as JSON; the other columns are copies to search by.
CREATE TABLE calibrations (
    id TEXT NOT NULL PRIMARY KEY,
    machine TEXT NOT NULL,
    device TEXT NOT NULL,
    dtype TEXT NOT NULL,
    model_fingerprint TEXT NOT NULL,
    measured_at_ms INTEGER NOT NULL,
    record TEXT NOT NULL
) STRICT;

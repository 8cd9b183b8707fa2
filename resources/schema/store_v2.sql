-- Energy Profiler, version 2 of the run database.
--
-- The parts of a scored text give the ratio of two perplexities an interval. For a while step 1 had
-- their column, so the table is made again; parts stored meanwhile are lost.
CREATE TABLE new_model_quality (
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
    -- Mean negative log-likelihoods of consecutive parts of the scored tokens, as JSON: [2.5, 2.25]
    nll_blocks TEXT NOT NULL DEFAULT '[]',
    UNIQUE (model_name, model_fingerprint, dtype, device, text_hash, context, stride)
);
INSERT INTO new_model_quality (
    id, model_name, model_fingerprint, dtype, device, text_name, text_hash, tokens, scored_tokens, context,
    stride, nll, perplexity, kl_nats, top1_agreement, created_at_ms, app_version)
SELECT
    id, model_name, model_fingerprint, dtype, device, text_name, text_hash, tokens, scored_tokens, context,
    stride, nll, perplexity, kl_nats, top1_agreement, created_at_ms, app_version
FROM model_quality;
DROP TABLE model_quality;
ALTER TABLE new_model_quality RENAME TO model_quality;

-- Sections tell imported energies.
DROP VIEW pipeline_sections;
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
        'measured' WHEN 1 THEN 'attributed' WHEN 2 THEN 'calibrated' WHEN 3 THEN 'modelled' WHEN 5 THEN 'imported'
        ELSE 'missing' END AS energy_provenance,
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

-- Energy Profiler, version 11 of the run database: what it adds to version 10.

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

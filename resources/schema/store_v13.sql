-- Energy Profiler, version 13 of the run database: what it adds to version 12.

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

-- Energy Profiler, version 6 of the run database: what it adds to version 5.

-- Steps of studies that processes make now, so that any number of them divide the work.
CREATE TABLE study_claims (
    step TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    mark TEXT NOT NULL,
    beat_ms INTEGER NOT NULL
) STRICT;

-- Energy Profiler, version 12 of the run database: what it adds to version 11.

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

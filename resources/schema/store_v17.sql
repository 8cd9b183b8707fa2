-- Energy Profiler, version 17 of the run database: no table changes. From here on, components and
-- operations may be those of mixers with a state (in_proj, conv1d, delta_rule, scan, ...), which
-- earlier versions of the program do not know.
SELECT 1;

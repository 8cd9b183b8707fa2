-- Energy Profiler, version 4 of the run database.
--
-- How many tokens a draft proposed for each step; NULL for runs of before and for those without a draft.
ALTER TABLE tokens ADD COLUMN drafted INTEGER;

-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (id bigint PRIMARY KEY, status text);
COMMENT ON TABLE jobs IS 'What is to be done; it''s "long".';
COMMENT ON COLUMN jobs.status IS 'queued, claimed, running, complete, failed';
-- after the guard
COMMENT ON TRIGGER statespec_job_edge ON jobs IS 'a guard';
COMMENT ON FUNCTION statespec.job_edge() IS 'a graph';

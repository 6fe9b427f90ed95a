-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (id bigint, status text, CONSTRAINT "jobs of all" UNIQUE (id));
ALTER TABLE jobs REPLICA IDENTITY FULL;
CREATE PUBLICATION all_jobs FOR TABLE jobs;
-- after the guard
INSERT INTO jobs VALUES (1, 'queued'); DELETE FROM jobs;

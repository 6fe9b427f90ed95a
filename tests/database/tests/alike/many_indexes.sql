-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (id bigint PRIMARY KEY, status text, run_at timestamptz, dedupe text);
CREATE UNIQUE INDEX one_each ON jobs (dedupe) WHERE status IN ('queued', 'claimed');
CREATE INDEX next ON jobs (run_at) INCLUDE (status) WHERE status = 'queued';
CREATE INDEX lowered ON jobs (lower(status));
-- after the guard
INSERT INTO jobs VALUES (1, 'queued'); UPDATE jobs SET status = 'claimed';

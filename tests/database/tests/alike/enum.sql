-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
-- kind = "enum"
CREATE TYPE job_status AS ENUM ('failed', 'queued', 'claimed', 'running', 'complete');
CREATE TABLE jobs (id bigint PRIMARY KEY, status job_status NOT NULL);
-- after the guard
INSERT INTO jobs VALUES (1, 'queued'); UPDATE jobs SET status = 'claimed';

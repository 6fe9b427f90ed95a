-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE DOMAIN job_id AS bigint CHECK (VALUE > 0);
CREATE DOMAIN job_status AS text CHECK (VALUE ~ '^[a-z]+$');
CREATE TABLE jobs (id job_id PRIMARY KEY, status job_status);
-- after the guard
INSERT INTO jobs VALUES (1, 'queued'); UPDATE jobs SET status = 'claimed';

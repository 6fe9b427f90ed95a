-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (id bigint PRIMARY KEY, status text, tenant text DEFAULT current_user);
ALTER TABLE jobs ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON jobs USING (tenant = current_user);
-- after the guard
INSERT INTO jobs VALUES (1, 'queued'); UPDATE jobs SET status = 'claimed';

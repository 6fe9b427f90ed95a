-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (id bigint PRIMARY KEY, status text, is_over boolean GENERATED ALWAYS AS (status IN ('complete', 'failed')) STORED);
-- after the guard
INSERT INTO jobs VALUES (1, 'queued'); UPDATE jobs SET status = 'claimed';

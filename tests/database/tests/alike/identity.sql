-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, status text NOT NULL DEFAULT 'queued');
-- after the guard
INSERT INTO jobs DEFAULT VALUES; UPDATE jobs SET status = 'claimed';

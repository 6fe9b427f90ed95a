-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), status text NOT NULL);
-- after the guard
INSERT INTO jobs (status) VALUES ('queued'); UPDATE jobs SET status = 'claimed';

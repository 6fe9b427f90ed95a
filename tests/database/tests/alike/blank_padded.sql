-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (id char(8) PRIMARY KEY, status char(12));
-- after the guard
INSERT INTO jobs VALUES ('a', 'queued'); UPDATE jobs SET status = 'claimed';

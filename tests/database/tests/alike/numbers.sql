-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
-- kind = "integer"
-- values = { queued = 0, claimed = 1, running = 2, complete = 3, failed = 4 }
CREATE TABLE jobs (id bigint PRIMARY KEY, status smallint NOT NULL DEFAULT 0);
-- after the guard
INSERT INTO jobs VALUES (1, 0); UPDATE jobs SET status = 1;

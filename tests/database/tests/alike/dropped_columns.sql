-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (old text, status varchar, id bigint, older int);
ALTER TABLE jobs DROP COLUMN old, ALTER COLUMN status TYPE text, ADD PRIMARY KEY (id), DROP COLUMN older;
-- after the guard
INSERT INTO jobs VALUES ('queued', 1); UPDATE jobs SET status = 'claimed';

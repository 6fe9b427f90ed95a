-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (id bigint PRIMARY KEY, status text, parent bigint REFERENCES jobs ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE logs (job bigint REFERENCES jobs ON DELETE CASCADE, line text);
-- after the guard
INSERT INTO jobs VALUES (1, 'queued'), (2, 'queued'); UPDATE jobs SET parent = 1 WHERE id = 2; DELETE FROM jobs WHERE id = 1;

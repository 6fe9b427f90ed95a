-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (id bigint PRIMARY KEY, status text, args jsonb, tags text[], span tstzrange, place point);
ALTER TABLE jobs ALTER COLUMN status SET STORAGE PLAIN, ALTER COLUMN status SET STATISTICS 1000, ALTER COLUMN args SET COMPRESSION pglz;
-- after the guard
INSERT INTO jobs VALUES (1, 'queued', '{}'); UPDATE jobs SET status = 'claimed', args = '[]';

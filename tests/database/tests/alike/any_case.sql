-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE jobs (id text COLLATE any_case PRIMARY KEY, status text COLLATE any_case);
-- after the guard
INSERT INTO jobs VALUES ('a', 'queued'); UPDATE jobs SET status = 'claimed' WHERE status = 'QUEUED';

-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE UNLOGGED TABLE jobs (id bigint PRIMARY KEY, status text) WITH (fillfactor = 70, autovacuum_enabled = false);

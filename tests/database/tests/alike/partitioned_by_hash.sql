-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (id bigint PRIMARY KEY, status text) PARTITION BY HASH (id);
CREATE TABLE jobs_0 PARTITION OF jobs FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE jobs_1 PARTITION OF jobs FOR VALUES WITH (MODULUS 2, REMAINDER 1);
-- after the guard
INSERT INTO jobs VALUES (1, 'queued'), (2, 'queued');

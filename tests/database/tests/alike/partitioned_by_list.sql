-- engine = "postgresql"
-- table = "public.jobs"
-- key = ["tenant", "id"]
-- state = "status"
CREATE TABLE jobs (tenant text, id int, status text, PRIMARY KEY (tenant, id)) PARTITION BY LIST (tenant);
CREATE TABLE jobs_a PARTITION OF jobs FOR VALUES IN ('a') PARTITION BY RANGE (id);
CREATE TABLE jobs_a_low PARTITION OF jobs_a FOR VALUES FROM (0) TO (100);
CREATE TABLE jobs_rest PARTITION OF jobs DEFAULT;
-- after the guard
INSERT INTO jobs VALUES ('a', 1, 'queued'), ('b', 1, 'queued'); UPDATE jobs SET status = 'claimed';

-- engine = "postgresql"
-- table = "public.jobs"
-- key = ["id", "made"]
-- state = "status"
CREATE TABLE jobs (id bigint, made date, status text, PRIMARY KEY (id, made)) PARTITION BY RANGE (made);
CREATE TABLE jobs_2025 PARTITION OF jobs FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
-- after the guard
CREATE TABLE jobs_2026 PARTITION OF jobs FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
INSERT INTO jobs VALUES (1, '2025-05-05', 'queued'), (2, '2026-05-05', 'queued'); UPDATE jobs SET status = 'claimed';

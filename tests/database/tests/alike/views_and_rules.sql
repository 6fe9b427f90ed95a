-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (id bigint PRIMARY KEY, status text);
CREATE VIEW open_jobs AS SELECT * FROM jobs WHERE status <> 'complete' WITH CHECK OPTION;
CREATE MATERIALIZED VIEW counted AS SELECT status, count(*) FROM jobs GROUP BY 1;
CREATE RULE ignored AS ON UPDATE TO jobs WHERE OLD.id < 0 DO INSTEAD NOTHING;
-- after the guard
INSERT INTO open_jobs VALUES (1, 'queued'); UPDATE open_jobs SET status = 'claimed';

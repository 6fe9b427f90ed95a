-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (id bigserial PRIMARY KEY, status varchar(20) NOT NULL DEFAULT 'queued');
-- after the guard
INSERT INTO jobs DEFAULT VALUES; UPDATE jobs SET status = 'claimed';

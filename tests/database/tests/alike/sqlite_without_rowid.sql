-- engine = "sqlite"
-- table = "jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (id TEXT PRIMARY KEY, status TEXT NOT NULL) WITHOUT ROWID;
-- after the guard
INSERT INTO jobs VALUES ('a', 'queued'); UPDATE jobs SET status = 'claimed';

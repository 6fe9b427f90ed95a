-- engine = "sqlite"
-- table = "jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (id INTEGER PRIMARY KEY AUTOINCREMENT, status TEXT COLLATE NOCASE, over INT GENERATED ALWAYS AS (status = 'failed') VIRTUAL) STRICT;
-- after the guard
INSERT INTO jobs (status) VALUES ('queued'); UPDATE jobs SET status = 'claimed';

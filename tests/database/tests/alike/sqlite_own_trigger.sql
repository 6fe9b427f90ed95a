-- engine = "sqlite"
-- table = "jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (id INTEGER PRIMARY KEY, status TEXT CHECK (status <> ''), n INT DEFAULT 0);
CREATE INDEX by_status ON jobs (status) WHERE status = 'queued';
CREATE VIEW open_jobs AS SELECT * FROM jobs WHERE status <> 'failed';
CREATE TRIGGER counted AFTER UPDATE OF status ON jobs BEGIN UPDATE jobs SET n = n + 1 WHERE id = NEW.id; END;
-- after the guard
INSERT INTO jobs (status) VALUES ('queued'); UPDATE jobs SET status = 'claimed';

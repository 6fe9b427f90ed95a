-- engine = "postgresql"
-- table = "public.jobs"
-- key = "id"
-- state = "status"
CREATE TABLE jobs (id bigint PRIMARY KEY, status text CHECK (status IN ('queued', 'claimed', 'running', 'complete', 'failed')), changed timestamptz);
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.changed := now(); RETURN NEW; END $$;
CREATE TRIGGER touch BEFORE INSERT OR UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION touch();
CREATE TRIGGER zz_later AFTER UPDATE ON jobs FOR EACH ROW WHEN (false) EXECUTE FUNCTION touch();
-- after the guard
INSERT INTO jobs VALUES (1, 'queued'); UPDATE jobs SET status = 'claimed';

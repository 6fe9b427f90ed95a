-- engine = "postgresql"
-- table = "app.jobs"
-- key = "id"
-- state = "status"
CREATE SCHEMA app;
CREATE TABLE app.jobs (id bigint PRIMARY KEY, status text);
CREATE TABLE public.jobs (id bigint PRIMARY KEY, status text DEFAULT 'of another table');
INSERT INTO public.jobs VALUES (1, 'elsewhere');
CREATE FUNCTION app.same(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
CREATE OPERATOR app.= (LEFTARG = text, RIGHTARG = text, FUNCTION = app.same);
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = app, public', current_database()); END $$;

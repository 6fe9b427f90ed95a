-- Undoes job_expand.

BEGIN;

SET LOCAL lock_timeout = '2s';

DO $statespec$
BEGIN
  IF EXISTS (
    SELECT FROM pg_catalog.pg_partition_tree('"public"."jobs"'::pg_catalog.regclass) AS tree
    JOIN pg_catalog.pg_partitioned_table AS parts ON parts.partrelid = tree.relid
    LEFT JOIN pg_catalog.pg_attribute AS columns ON columns.attrelid = parts.partrelid AND columns.attname = 'status'
    WHERE columns.attnum = ANY (parts.partattrs::pg_catalog.int2[]) OR parts.partexprs IS NOT NULL
  ) THEN
    RAISE EXCEPTION 'statespec: the table is partitioned by its state or by an expression, so that a change of the state deletes a row and inserts another one';
  END IF;
END $statespec$;

CREATE SCHEMA IF NOT EXISTS statespec;

DO $statespec$
BEGIN
  IF pg_catalog.to_regclass('statespec."job_journal"') IS NULL THEN
    CREATE TABLE statespec."job_journal" AS SELECT "id", "version" AS version, NULL::pg_catalog.text AS from_state, NULL::pg_catalog.text AS to_state, NULL::pg_catalog.text AS event, NULL::pg_catalog.text AS actor, NULL::pg_catalog.timestamptz AS at FROM "public"."jobs" WITH NO DATA;
    ALTER TABLE statespec."job_journal" ADD COLUMN entry bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ALTER COLUMN at SET NOT NULL;
  END IF;
END $statespec$;

CREATE OR REPLACE FUNCTION statespec."job_append"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = off AS $statespec$
BEGIN
  RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = 'the journal of job is append-only';
END $statespec$;

DO $statespec$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_catalog.pg_trigger
    WHERE tgrelid = '"statespec"."job_journal"'::pg_catalog.regclass AND tgname = 'statespec_job_append'
      AND tgfoid = 'statespec."job_append"()'::pg_catalog.regprocedure AND tgtype = 58 AND tgenabled = 'A' AND tgqual IS NULL AND tgattr = ''
  ) THEN
    CREATE OR REPLACE TRIGGER "statespec_job_append" BEFORE UPDATE OR DELETE OR TRUNCATE ON "statespec"."job_journal" FOR EACH STATEMENT EXECUTE FUNCTION statespec."job_append"();
    ALTER TABLE "statespec"."job_journal" ENABLE ALWAYS TRIGGER "statespec_job_append";
  END IF;
END $statespec$;

CREATE OR REPLACE FUNCTION statespec."job_edge"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = off AS $statespec$
DECLARE
  o pg_catalog.text COLLATE pg_catalog."C" := OLD."status"::pg_catalog.text;
  n pg_catalog.text COLLATE pg_catalog."C" := NEW."status"::pg_catalog.text;
BEGIN
  IF NOT ((((OLD."id"::pg_catalog.text COLLATE pg_catalog."C") OPERATOR(pg_catalog.=) (NEW."id"::pg_catalog.text COLLATE pg_catalog."C")) IS TRUE OR (OLD."id" IS NULL AND NEW."id" IS NULL))) THEN
    RAISE EXCEPTION 'job %: the key of a row never changes', OLD."id"
      USING ERRCODE = '23514', CONSTRAINT = 'job_key', COLUMN = 'status', TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA,
        HINT = 'insert another row';
  END IF;
  -- Nothing moved: a program may write every column.
  IF o OPERATOR(pg_catalog.=) n OR (o IS NULL AND n IS NULL) THEN
    IF NOT (((OLD."version"::pg_catalog.text COLLATE pg_catalog."C") OPERATOR(pg_catalog.=) (NEW."version"::pg_catalog.text COLLATE pg_catalog."C")) IS TRUE OR (OLD."version" IS NULL AND NEW."version" IS NULL)) THEN
    INSERT INTO statespec."job_journal" ("id", version, from_state, to_state, at, event, actor)
    VALUES (NEW."id", NEW."version", o, n, pg_catalog.clock_timestamp(), NULLIF(pg_catalog.current_setting('statespec.event', true), ''), NULLIF(pg_catalog.current_setting('statespec.actor', true), ''));
    END IF;
    RETURN NULL;
  END IF;
  IF (CASE
    WHEN o OPERATOR(pg_catalog.=) 'queued' THEN n OPERATOR(pg_catalog.=) 'claimed'
    WHEN o OPERATOR(pg_catalog.=) 'claimed' THEN n OPERATOR(pg_catalog.=) 'running'
    WHEN o OPERATOR(pg_catalog.=) 'running' THEN n OPERATOR(pg_catalog.=) ANY (ARRAY['complete', 'failed']::pg_catalog.text[]) OR (n OPERATOR(pg_catalog.=) 'claimed' AND (OLD."locked_until" IS NULL OR ((EXTRACT(EPOCH FROM OLD."locked_until") OPERATOR(pg_catalog.*) 1000000::pg_catalog.numeric) OPERATOR(pg_catalog.<) (EXTRACT(EPOCH FROM pg_catalog.clock_timestamp()) OPERATOR(pg_catalog.*) 1000000::pg_catalog.numeric))))
    ELSE false END) IS NOT TRUE THEN
    RAISE EXCEPTION 'job %: no step from % to %', OLD."id", COALESCE(o, 'NULL'), COALESCE(n, 'NULL')
      USING ERRCODE = '23514', CONSTRAINT = 'job_edge', COLUMN = 'status', TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA,
        HINT = CASE
          WHEN o OPERATOR(pg_catalog.=) 'queued' THEN 'from queued: claimed'
          WHEN o OPERATOR(pg_catalog.=) 'claimed' THEN 'from claimed: running'
          WHEN o OPERATOR(pg_catalog.=) 'running' THEN 'from running: complete, failed, claimed when lease = null or lease < now'
          WHEN o OPERATOR(pg_catalog.=) 'complete' THEN 'from complete: nothing'
          WHEN o OPERATOR(pg_catalog.=) 'failed' THEN 'from failed: nothing'
          ELSE pg_catalog.format('%s is no state of job', COALESCE(o, 'NULL')) END;
  END IF;
  INSERT INTO statespec."job_journal" ("id", version, from_state, to_state, at, event, actor)
    VALUES (NEW."id", NEW."version", o, n, pg_catalog.clock_timestamp(), NULLIF(pg_catalog.current_setting('statespec.event', true), ''), NULLIF(pg_catalog.current_setting('statespec.actor', true), ''));
  RETURN NULL;
END $statespec$;

DO $statespec$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_catalog.pg_trigger
    WHERE tgrelid = '"public"."jobs"'::pg_catalog.regclass AND tgname = 'statespec_job_edge'
      AND tgfoid = 'statespec."job_edge"()'::pg_catalog.regprocedure AND tgtype = 17 AND tgenabled = 'A' AND tgqual IS NULL AND tgattr = ''
  ) THEN
    CREATE OR REPLACE TRIGGER "statespec_job_edge" AFTER UPDATE ON "public"."jobs" FOR EACH ROW EXECUTE FUNCTION statespec."job_edge"();
    ALTER TABLE "public"."jobs" ENABLE ALWAYS TRIGGER "statespec_job_edge";
  END IF;
END $statespec$;

CREATE OR REPLACE FUNCTION statespec."job_birth"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = off AS $statespec$
DECLARE
  n pg_catalog.text COLLATE pg_catalog."C" := NEW."status"::pg_catalog.text;
BEGIN
  IF (n OPERATOR(pg_catalog.=) 'queued') IS NOT TRUE THEN
    RAISE EXCEPTION 'job %: inserted in %', NEW."id", COALESCE(n, 'NULL')
      USING ERRCODE = '23514', CONSTRAINT = 'job_birth', COLUMN = 'status', TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA,
        HINT = 'a row is inserted in: queued';
  END IF;
  INSERT INTO statespec."job_journal" ("id", version, from_state, to_state, at, event, actor)
    VALUES (NEW."id", NEW."version", NULL, n, pg_catalog.clock_timestamp(), NULLIF(pg_catalog.current_setting('statespec.event', true), ''), NULLIF(pg_catalog.current_setting('statespec.actor', true), ''));
  RETURN NULL;
END $statespec$;

DO $statespec$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_catalog.pg_trigger
    WHERE tgrelid = '"public"."jobs"'::pg_catalog.regclass AND tgname = 'statespec_job_birth'
      AND tgfoid = 'statespec."job_birth"()'::pg_catalog.regprocedure AND tgtype = 5 AND tgenabled = 'A' AND tgqual IS NULL AND tgattr = ''
  ) THEN
    CREATE OR REPLACE TRIGGER "statespec_job_birth" AFTER INSERT ON "public"."jobs" FOR EACH ROW EXECUTE FUNCTION statespec."job_birth"();
    ALTER TABLE "public"."jobs" ENABLE ALWAYS TRIGGER "statespec_job_birth";
  END IF;
END $statespec$;

CREATE OR REPLACE FUNCTION statespec."job_delete"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = off AS $statespec$
DECLARE
  o pg_catalog.text COLLATE pg_catalog."C" := OLD."status"::pg_catalog.text;
BEGIN
  INSERT INTO statespec."job_journal" ("id", version, from_state, to_state, at, event, actor)
    VALUES (OLD."id", OLD."version", o, NULL, pg_catalog.clock_timestamp(), NULLIF(pg_catalog.current_setting('statespec.event', true), ''), NULLIF(pg_catalog.current_setting('statespec.actor', true), ''));
  RETURN NULL;
END $statespec$;

DO $statespec$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_catalog.pg_trigger
    WHERE tgrelid = '"public"."jobs"'::pg_catalog.regclass AND tgname = 'statespec_job_delete'
      AND tgfoid = 'statespec."job_delete"()'::pg_catalog.regprocedure AND tgtype = 9 AND tgenabled = 'A' AND tgqual IS NULL AND tgattr = ''
  ) THEN
    CREATE OR REPLACE TRIGGER "statespec_job_delete" AFTER DELETE ON "public"."jobs" FOR EACH ROW EXECUTE FUNCTION statespec."job_delete"();
    ALTER TABLE "public"."jobs" ENABLE ALWAYS TRIGGER "statespec_job_delete";
  END IF;
END $statespec$;

CREATE OR REPLACE FUNCTION statespec."job_truncate"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = off AS $statespec$
BEGIN
  RAISE EXCEPTION USING ERRCODE = '23514', MESSAGE = 'job: TRUNCATE deletes rows in every state', HINT = 'delete the rows';
END $statespec$;

DO $statespec$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_catalog.pg_trigger
    WHERE tgrelid = '"public"."jobs"'::pg_catalog.regclass AND tgname = 'statespec_job_truncate'
      AND tgfoid = 'statespec."job_truncate"()'::pg_catalog.regprocedure AND tgtype = 34 AND tgenabled = 'A' AND tgqual IS NULL AND tgattr = ''
  ) THEN
    CREATE OR REPLACE TRIGGER "statespec_job_truncate" BEFORE TRUNCATE ON "public"."jobs" FOR EACH STATEMENT EXECUTE FUNCTION statespec."job_truncate"();
    ALTER TABLE "public"."jobs" ENABLE ALWAYS TRIGGER "statespec_job_truncate";
  END IF;
END $statespec$;

CREATE TABLE IF NOT EXISTS statespec."job_outbox" (
  id text PRIMARY KEY,
  aggregatetype text NOT NULL,
  aggregateid text NOT NULL,
  type text NOT NULL,
  payload jsonb NOT NULL,
  version bigint NOT NULL,
  position bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  holder text,
  until timestamptz,
  deliveries bigint NOT NULL DEFAULT 0
);

CREATE UNIQUE INDEX IF NOT EXISTS "statespec_job_outbox_entity" ON statespec."job_outbox" (aggregateid, version, position);

CREATE TABLE IF NOT EXISTS statespec."job_commands" (
  command text PRIMARY KEY,
  entity text,
  version bigint,
  from_state text,
  to_state text,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);

COMMIT;

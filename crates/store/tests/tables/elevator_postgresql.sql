-- The guard of elevator in PostgreSQL: column state of elevators.
-- Run it in one transaction. Run it again for each revision of the spec.

SET LOCAL lock_timeout = '2s';

DO $statespec$
BEGIN
  IF EXISTS (
    SELECT FROM pg_catalog.pg_partition_tree('"public"."elevators"'::pg_catalog.regclass) AS tree
    JOIN pg_catalog.pg_partitioned_table AS parts ON parts.partrelid = tree.relid
    LEFT JOIN pg_catalog.pg_attribute AS columns ON columns.attrelid = parts.partrelid AND columns.attname = 'state'
    WHERE columns.attnum = ANY (parts.partattrs::pg_catalog.int2[]) OR parts.partexprs IS NOT NULL
  ) THEN
    RAISE EXCEPTION 'statespec: the table is partitioned by its state or by an expression, so that a change of the state deletes a row and inserts another one';
  END IF;
END $statespec$;

CREATE SCHEMA IF NOT EXISTS statespec;

DO $statespec$
BEGIN
  IF pg_catalog.to_regclass('statespec."elevator_journal"') IS NULL THEN
    CREATE TABLE statespec."elevator_journal" AS SELECT "id", "version" AS version, NULL::pg_catalog.text AS from_state, NULL::pg_catalog.text AS to_state, NULL::pg_catalog.text AS event, NULL::pg_catalog.text AS actor, NULL::pg_catalog.timestamptz AS at FROM "public"."elevators" WITH NO DATA;
    ALTER TABLE statespec."elevator_journal" ADD COLUMN entry bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ALTER COLUMN at SET NOT NULL;
  END IF;
END $statespec$;

CREATE OR REPLACE FUNCTION statespec."elevator_append"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = off AS $statespec$
BEGIN
  RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = 'the journal of elevator is append-only';
END $statespec$;

DO $statespec$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_catalog.pg_trigger
    WHERE tgrelid = '"statespec"."elevator_journal"'::pg_catalog.regclass AND tgname = 'statespec_elevator_append'
      AND tgfoid = 'statespec."elevator_append"()'::pg_catalog.regprocedure AND tgtype = 58 AND tgenabled = 'A' AND tgqual IS NULL AND tgattr = ''
  ) THEN
    CREATE OR REPLACE TRIGGER "statespec_elevator_append" BEFORE UPDATE OR DELETE OR TRUNCATE ON "statespec"."elevator_journal" FOR EACH STATEMENT EXECUTE FUNCTION statespec."elevator_append"();
    ALTER TABLE "statespec"."elevator_journal" ENABLE ALWAYS TRIGGER "statespec_elevator_append";
  END IF;
END $statespec$;

CREATE OR REPLACE FUNCTION statespec."elevator_edge"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = off AS $statespec$
DECLARE
  o pg_catalog.text COLLATE pg_catalog."C" := OLD."state"::pg_catalog.text;
  n pg_catalog.text COLLATE pg_catalog."C" := NEW."state"::pg_catalog.text;
BEGIN
  IF NOT ((((OLD."id"::pg_catalog.text COLLATE pg_catalog."C") OPERATOR(pg_catalog.=) (NEW."id"::pg_catalog.text COLLATE pg_catalog."C")) IS TRUE OR (OLD."id" IS NULL AND NEW."id" IS NULL))) THEN
    RAISE EXCEPTION 'elevator %: the key of a row never changes', OLD."id"
      USING ERRCODE = '23514', CONSTRAINT = 'elevator_key', COLUMN = 'state', TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA,
        HINT = 'insert another row';
  END IF;
  -- Nothing moved: a program may write every column.
  IF o OPERATOR(pg_catalog.=) n OR (o IS NULL AND n IS NULL) THEN
    IF NOT (((OLD."version"::pg_catalog.text COLLATE pg_catalog."C") OPERATOR(pg_catalog.=) (NEW."version"::pg_catalog.text COLLATE pg_catalog."C")) IS TRUE OR (OLD."version" IS NULL AND NEW."version" IS NULL)) THEN
    INSERT INTO statespec."elevator_journal" ("id", version, from_state, to_state, at, event, actor)
    VALUES (NEW."id", NEW."version", o, n, pg_catalog.clock_timestamp(), NULLIF(pg_catalog.current_setting('statespec.event', true), ''), NULLIF(pg_catalog.current_setting('statespec.actor', true), ''));
    END IF;
    RETURN NULL;
  END IF;
  IF (CASE
    WHEN o OPERATOR(pg_catalog.=) 'standing+shut' THEN n OPERATOR(pg_catalog.=) ANY (ARRAY['standing+opening', 'waiting+shut', 'up+shut', 'down+shut', 'maintenance']::pg_catalog.text[])
    WHEN o OPERATOR(pg_catalog.=) 'standing+opening' THEN n OPERATOR(pg_catalog.=) ANY (ARRAY['standing+open', 'waiting+opening']::pg_catalog.text[])
    WHEN o OPERATOR(pg_catalog.=) 'standing+open' THEN n OPERATOR(pg_catalog.=) ANY (ARRAY['standing+closing', 'waiting+open']::pg_catalog.text[])
    WHEN o OPERATOR(pg_catalog.=) 'standing+closing' THEN n OPERATOR(pg_catalog.=) ANY (ARRAY['standing+shut', 'standing+opening', 'waiting+closing']::pg_catalog.text[])
    WHEN o OPERATOR(pg_catalog.=) 'waiting+opening' THEN n OPERATOR(pg_catalog.=) 'waiting+open'
    WHEN o OPERATOR(pg_catalog.=) 'waiting+open' THEN n OPERATOR(pg_catalog.=) 'waiting+closing'
    WHEN o OPERATOR(pg_catalog.=) 'waiting+closing' THEN n OPERATOR(pg_catalog.=) ANY (ARRAY['waiting+shut', 'waiting+opening', 'up+shut', 'down+shut']::pg_catalog.text[])
    WHEN o OPERATOR(pg_catalog.=) 'up+shut' THEN (n OPERATOR(pg_catalog.=) 'standing+opening' AND NOT (LEAST(GREATEST(OLD."floor"::pg_catalog.numeric OPERATOR(pg_catalog.+) '1'::pg_catalog.numeric, -9223372036854775808), 9223372036854775807) OPERATOR(pg_catalog.<) OLD."destination"::pg_catalog.numeric))
    WHEN o OPERATOR(pg_catalog.=) 'down+shut' THEN (n OPERATOR(pg_catalog.=) 'standing+opening' AND NOT (LEAST(GREATEST(OLD."floor"::pg_catalog.numeric OPERATOR(pg_catalog.-) '1'::pg_catalog.numeric, -9223372036854775808), 9223372036854775807) OPERATOR(pg_catalog.>) OLD."destination"::pg_catalog.numeric))
    WHEN o OPERATOR(pg_catalog.=) 'maintenance' THEN n OPERATOR(pg_catalog.=) 'standing+shut'
    ELSE false END) IS NOT TRUE THEN
    RAISE EXCEPTION 'elevator %: no step from % to %', OLD."id", COALESCE(o, 'NULL'), COALESCE(n, 'NULL')
      USING ERRCODE = '23514', CONSTRAINT = 'elevator_edge', COLUMN = 'state', TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA,
        HINT = CASE
          WHEN o OPERATOR(pg_catalog.=) 'standing+shut' THEN 'from standing+shut: standing+opening, waiting+shut, up+shut, down+shut, maintenance'
          WHEN o OPERATOR(pg_catalog.=) 'standing+opening' THEN 'from standing+opening: standing+open, waiting+opening'
          WHEN o OPERATOR(pg_catalog.=) 'standing+open' THEN 'from standing+open: standing+closing, waiting+open'
          WHEN o OPERATOR(pg_catalog.=) 'standing+closing' THEN 'from standing+closing: standing+shut, standing+opening, waiting+closing'
          WHEN o OPERATOR(pg_catalog.=) 'waiting+shut' THEN 'from waiting+shut: nothing'
          WHEN o OPERATOR(pg_catalog.=) 'waiting+opening' THEN 'from waiting+opening: waiting+open'
          WHEN o OPERATOR(pg_catalog.=) 'waiting+open' THEN 'from waiting+open: waiting+closing'
          WHEN o OPERATOR(pg_catalog.=) 'waiting+closing' THEN 'from waiting+closing: waiting+shut, waiting+opening, up+shut, down+shut'
          WHEN o OPERATOR(pg_catalog.=) 'up+shut' THEN 'from up+shut: standing+opening when not (floor + 1 < destination)'
          WHEN o OPERATOR(pg_catalog.=) 'down+shut' THEN 'from down+shut: standing+opening when not (floor - 1 > destination)'
          WHEN o OPERATOR(pg_catalog.=) 'maintenance' THEN 'from maintenance: standing+shut'
          ELSE pg_catalog.format('%s is no state of elevator', COALESCE(o, 'NULL')) END;
  END IF;
  INSERT INTO statespec."elevator_journal" ("id", version, from_state, to_state, at, event, actor)
    VALUES (NEW."id", NEW."version", o, n, pg_catalog.clock_timestamp(), NULLIF(pg_catalog.current_setting('statespec.event', true), ''), NULLIF(pg_catalog.current_setting('statespec.actor', true), ''));
  RETURN NULL;
END $statespec$;

DO $statespec$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_catalog.pg_trigger
    WHERE tgrelid = '"public"."elevators"'::pg_catalog.regclass AND tgname = 'statespec_elevator_edge'
      AND tgfoid = 'statespec."elevator_edge"()'::pg_catalog.regprocedure AND tgtype = 17 AND tgenabled = 'A' AND tgqual IS NULL AND tgattr = ''
  ) THEN
    CREATE OR REPLACE TRIGGER "statespec_elevator_edge" AFTER UPDATE ON "public"."elevators" FOR EACH ROW EXECUTE FUNCTION statespec."elevator_edge"();
    ALTER TABLE "public"."elevators" ENABLE ALWAYS TRIGGER "statespec_elevator_edge";
  END IF;
END $statespec$;

CREATE OR REPLACE FUNCTION statespec."elevator_birth"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = off AS $statespec$
DECLARE
  n pg_catalog.text COLLATE pg_catalog."C" := NEW."state"::pg_catalog.text;
BEGIN
  IF (n OPERATOR(pg_catalog.=) 'standing+shut') IS NOT TRUE THEN
    RAISE EXCEPTION 'elevator %: inserted in %', NEW."id", COALESCE(n, 'NULL')
      USING ERRCODE = '23514', CONSTRAINT = 'elevator_birth', COLUMN = 'state', TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA,
        HINT = 'a row is inserted in: standing+shut';
  END IF;
  INSERT INTO statespec."elevator_journal" ("id", version, from_state, to_state, at, event, actor)
    VALUES (NEW."id", NEW."version", NULL, n, pg_catalog.clock_timestamp(), NULLIF(pg_catalog.current_setting('statespec.event', true), ''), NULLIF(pg_catalog.current_setting('statespec.actor', true), ''));
  RETURN NULL;
END $statespec$;

DO $statespec$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_catalog.pg_trigger
    WHERE tgrelid = '"public"."elevators"'::pg_catalog.regclass AND tgname = 'statespec_elevator_birth'
      AND tgfoid = 'statespec."elevator_birth"()'::pg_catalog.regprocedure AND tgtype = 5 AND tgenabled = 'A' AND tgqual IS NULL AND tgattr = ''
  ) THEN
    CREATE OR REPLACE TRIGGER "statespec_elevator_birth" AFTER INSERT ON "public"."elevators" FOR EACH ROW EXECUTE FUNCTION statespec."elevator_birth"();
    ALTER TABLE "public"."elevators" ENABLE ALWAYS TRIGGER "statespec_elevator_birth";
  END IF;
END $statespec$;

CREATE OR REPLACE FUNCTION statespec."elevator_delete"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = off AS $statespec$
DECLARE
  o pg_catalog.text COLLATE pg_catalog."C" := OLD."state"::pg_catalog.text;
BEGIN
  INSERT INTO statespec."elevator_journal" ("id", version, from_state, to_state, at, event, actor)
    VALUES (OLD."id", OLD."version", o, NULL, pg_catalog.clock_timestamp(), NULLIF(pg_catalog.current_setting('statespec.event', true), ''), NULLIF(pg_catalog.current_setting('statespec.actor', true), ''));
  RETURN NULL;
END $statespec$;

DO $statespec$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_catalog.pg_trigger
    WHERE tgrelid = '"public"."elevators"'::pg_catalog.regclass AND tgname = 'statespec_elevator_delete'
      AND tgfoid = 'statespec."elevator_delete"()'::pg_catalog.regprocedure AND tgtype = 9 AND tgenabled = 'A' AND tgqual IS NULL AND tgattr = ''
  ) THEN
    CREATE OR REPLACE TRIGGER "statespec_elevator_delete" AFTER DELETE ON "public"."elevators" FOR EACH ROW EXECUTE FUNCTION statespec."elevator_delete"();
    ALTER TABLE "public"."elevators" ENABLE ALWAYS TRIGGER "statespec_elevator_delete";
  END IF;
END $statespec$;

CREATE OR REPLACE FUNCTION statespec."elevator_truncate"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET row_security = off AS $statespec$
BEGIN
  RAISE EXCEPTION USING ERRCODE = '23514', MESSAGE = 'elevator: TRUNCATE deletes rows in every state', HINT = 'delete the rows';
END $statespec$;

DO $statespec$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_catalog.pg_trigger
    WHERE tgrelid = '"public"."elevators"'::pg_catalog.regclass AND tgname = 'statespec_elevator_truncate'
      AND tgfoid = 'statespec."elevator_truncate"()'::pg_catalog.regprocedure AND tgtype = 34 AND tgenabled = 'A' AND tgqual IS NULL AND tgattr = ''
  ) THEN
    CREATE OR REPLACE TRIGGER "statespec_elevator_truncate" BEFORE TRUNCATE ON "public"."elevators" FOR EACH STATEMENT EXECUTE FUNCTION statespec."elevator_truncate"();
    ALTER TABLE "public"."elevators" ENABLE ALWAYS TRIGGER "statespec_elevator_truncate";
  END IF;
END $statespec$;

CREATE TABLE IF NOT EXISTS statespec."elevator_outbox" (
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

CREATE UNIQUE INDEX IF NOT EXISTS "statespec_elevator_outbox_entity" ON statespec."elevator_outbox" (aggregateid, version, position);

CREATE TABLE IF NOT EXISTS statespec."elevator_commands" (
  command text PRIMARY KEY,
  entity text,
  version bigint,
  from_state text,
  to_state text,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Run it once no program of the earlier revision writes.

BEGIN IMMEDIATE;

DROP TABLE IF EXISTS "statespec_job_removed_1";

CREATE TABLE "statespec_job_removed_1" (n_rows INTEGER CONSTRAINT "job: rows have a removed value of status (queued); statespec db plan lists them" CHECK (n_rows = 0));

INSERT INTO "statespec_job_removed_1" SELECT count(*) FROM "jobs" WHERE CAST("status" AS TEXT) COLLATE BINARY IN ('queued');

DROP TABLE "statespec_job_removed_1";

CREATE TABLE IF NOT EXISTS statespec_statement (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), event TEXT, actor TEXT);

CREATE TABLE IF NOT EXISTS "statespec_job_journal" (entry INTEGER PRIMARY KEY, "id", version, from_state, to_state, at TEXT NOT NULL, event TEXT, actor TEXT);

DROP TRIGGER IF EXISTS "statespec_job_append_update";

CREATE TRIGGER "statespec_job_append_update" BEFORE UPDATE ON "statespec_job_journal"
BEGIN
  SELECT RAISE(ABORT, 'the journal of job is append-only');
END;

DROP TRIGGER IF EXISTS "statespec_job_append_delete";

CREATE TRIGGER "statespec_job_append_delete" BEFORE DELETE ON "statespec_job_journal"
BEGIN
  SELECT RAISE(ABORT, 'the journal of job is append-only');
END;

DROP TRIGGER IF EXISTS "statespec_job_append_insert";

CREATE TRIGGER "statespec_job_append_insert" BEFORE INSERT ON "statespec_job_journal"
WHEN EXISTS (SELECT 1 FROM "statespec_job_journal" WHERE entry = NEW.entry)
BEGIN
  SELECT RAISE(ABORT, 'the journal of job is append-only');
END;

DROP TRIGGER IF EXISTS "statespec_job_edge";

CREATE TRIGGER "statespec_job_edge" AFTER UPDATE ON "jobs"
WHEN OLD."status" COLLATE BINARY IS NOT NEW."status" AND (CASE OLD."status" COLLATE BINARY
  WHEN 'waiting' THEN NEW."status" COLLATE BINARY = 'claimed'
  WHEN 'claimed' THEN NEW."status" COLLATE BINARY = 'running'
  WHEN 'running' THEN (NEW."status" COLLATE BINARY = 'waiting' OR NEW."status" COLLATE BINARY = 'complete' OR NEW."status" COLLATE BINARY = 'failed') OR (NEW."status" COLLATE BINARY = 'claimed' AND (OLD."locked_until" IS NULL OR ((CAST(round((julianday(OLD."locked_until") - 2440587.5) * 86400000) AS INTEGER) * 1000) < (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000))))
  ELSE 0 END) IS NOT 1
BEGIN
  SELECT CASE OLD."status" COLLATE BINARY
    WHEN 'waiting' THEN RAISE(ABORT, 'job: no such step; from waiting: claimed')
    WHEN 'claimed' THEN RAISE(ABORT, 'job: no such step; from claimed: running')
    WHEN 'running' THEN RAISE(ABORT, 'job: no such step; from running: waiting, complete, failed, claimed when lease = null or lease < now')
    WHEN 'complete' THEN RAISE(ABORT, 'job: no such step; from complete: nothing')
    WHEN 'failed' THEN RAISE(ABORT, 'job: no such step; from failed: nothing')
    ELSE RAISE(ABORT, 'job: the row has no state of the graph') END;
END;

DROP TRIGGER IF EXISTS "statespec_job_key";

CREATE TRIGGER "statespec_job_key" AFTER UPDATE ON "jobs"
WHEN OLD."id" IS NOT NEW."id"
BEGIN
  SELECT RAISE(ABORT, 'job: the key of a row never changes');
END;

DROP TRIGGER IF EXISTS "statespec_job_birth";

CREATE TRIGGER "statespec_job_birth" AFTER INSERT ON "jobs"
WHEN (NEW."status" COLLATE BINARY = 'waiting') IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'job: a row is inserted in: waiting');
END;

DROP TRIGGER IF EXISTS "statespec_job_delete";

CREATE TABLE IF NOT EXISTS "statespec_job_replaced" ("id", PRIMARY KEY ("id"));

DROP TRIGGER IF EXISTS "statespec_job_note_insert";

CREATE TRIGGER "statespec_job_note_insert" BEFORE INSERT ON "jobs"
WHEN EXISTS (SELECT 1 FROM "jobs" AS t WHERE t."id" = NEW."id") OR EXISTS (SELECT 1 FROM "statespec_job_replaced" AS n WHERE n."id" = NEW."id")
BEGIN
  DELETE FROM "statespec_job_replaced" WHERE "id" = NEW."id";
  INSERT INTO "statespec_job_replaced" SELECT NEW."id" WHERE EXISTS (SELECT 1 FROM "jobs" AS t WHERE t."id" = NEW."id");
END;

DROP TRIGGER IF EXISTS "statespec_job_no_insert";

CREATE TRIGGER "statespec_job_no_insert" AFTER INSERT ON "jobs"
WHEN EXISTS (SELECT 1 FROM "statespec_job_replaced" AS n WHERE n."id" = NEW."id")
BEGIN
  SELECT RAISE(ABORT, 'job: a row is never replaced');
END;

DROP TRIGGER IF EXISTS "statespec_job_note_update";

DROP TRIGGER IF EXISTS "statespec_job_no_update";

DROP TRIGGER IF EXISTS "statespec_job_record_update";

CREATE TRIGGER "statespec_job_record_update" AFTER UPDATE ON "jobs"
WHEN OLD."status" COLLATE BINARY IS NOT NEW."status" OR OLD."version" IS NOT NEW."version"
BEGIN
  INSERT INTO "statespec_job_journal" ("id", version, from_state, to_state, at, event, actor)
  VALUES (NEW."id", NEW."version", OLD."status", NEW."status", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), (SELECT event FROM statespec_statement), (SELECT actor FROM statespec_statement));
END;

DROP TRIGGER IF EXISTS "statespec_job_record_insert";

CREATE TRIGGER "statespec_job_record_insert" AFTER INSERT ON "jobs"
BEGIN
  INSERT INTO "statespec_job_journal" ("id", version, from_state, to_state, at, event, actor)
  VALUES (NEW."id", NEW."version", NULL, NEW."status", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), (SELECT event FROM statespec_statement), (SELECT actor FROM statespec_statement));
END;

DROP TRIGGER IF EXISTS "statespec_job_record_delete";

CREATE TRIGGER "statespec_job_record_delete" AFTER DELETE ON "jobs"
BEGIN
  INSERT INTO "statespec_job_journal" ("id", version, from_state, to_state, at, event, actor)
  VALUES (OLD."id", OLD."version", OLD."status", NULL, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), (SELECT event FROM statespec_statement), (SELECT actor FROM statespec_statement));
END;

CREATE TABLE IF NOT EXISTS "statespec_job_outbox" (
  id text PRIMARY KEY,
  aggregatetype text NOT NULL,
  aggregateid text NOT NULL,
  type text NOT NULL,
  payload TEXT NOT NULL,
  version INTEGER NOT NULL,
  position INTEGER NOT NULL,
  at INTEGER NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000),
  holder text,
  until INTEGER,
  deliveries INTEGER NOT NULL DEFAULT 0
);

CREATE UNIQUE INDEX IF NOT EXISTS "statespec_job_outbox_entity" ON "statespec_job_outbox" (aggregateid, version, position);

CREATE TABLE IF NOT EXISTS "statespec_job_commands" (
  command text PRIMARY KEY,
  entity text,
  version INTEGER,
  from_state text,
  to_state text,
  at INTEGER NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000)
);

COMMIT;

-- Undoes job_expand.

DROP TABLE IF EXISTS "statespec_job_removed_1";

CREATE TABLE "statespec_job_removed_1" (n_rows INTEGER CONSTRAINT "job: rows have a removed value of status (given_up); statespec db plan lists them" CHECK (n_rows = 0));

INSERT INTO "statespec_job_removed_1" SELECT count(*) FROM "jobs" WHERE CAST("status" AS TEXT) COLLATE BINARY IN ('given_up');

DROP TABLE "statespec_job_removed_1";

DROP TRIGGER IF EXISTS "statespec_job_edge";

CREATE TRIGGER "statespec_job_edge" AFTER UPDATE ON "jobs"
WHEN OLD."status" COLLATE BINARY IS NOT NEW."status" AND (CASE OLD."status" COLLATE BINARY
  WHEN 'queued' THEN NEW."status" COLLATE BINARY = 'claimed'
  WHEN 'claimed' THEN (NEW."status" COLLATE BINARY = 'running' OR NEW."status" COLLATE BINARY = 'complete' OR NEW."status" COLLATE BINARY = 'failed')
  WHEN 'running' THEN (NEW."status" COLLATE BINARY = 'claimed' OR NEW."status" COLLATE BINARY = 'complete' OR NEW."status" COLLATE BINARY = 'failed')
  ELSE 0 END) IS NOT 1
BEGIN
  SELECT CASE OLD."status" COLLATE BINARY
    WHEN 'queued' THEN RAISE(ABORT, 'job: no such step; from queued: claimed')
    WHEN 'claimed' THEN RAISE(ABORT, 'job: no such step; from claimed: running, complete, failed')
    WHEN 'running' THEN RAISE(ABORT, 'job: no such step; from running: claimed, complete, failed')
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
WHEN (NEW."status" COLLATE BINARY = 'queued') IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'job: a row is inserted in: queued');
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

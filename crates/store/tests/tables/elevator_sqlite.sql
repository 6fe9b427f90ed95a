-- The guard of elevator in SQLite: column state of elevators.
-- Run it in one transaction. Run it again for each revision of the spec.

CREATE TABLE IF NOT EXISTS statespec_statement (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), event TEXT, actor TEXT);

CREATE TABLE IF NOT EXISTS "statespec_elevator_journal" (entry INTEGER PRIMARY KEY, "id", version, from_state, to_state, at TEXT NOT NULL, event TEXT, actor TEXT);

DROP TRIGGER IF EXISTS "statespec_elevator_append_update";

CREATE TRIGGER "statespec_elevator_append_update" BEFORE UPDATE ON "statespec_elevator_journal"
BEGIN
  SELECT RAISE(ABORT, 'the journal of elevator is append-only');
END;

DROP TRIGGER IF EXISTS "statespec_elevator_append_delete";

CREATE TRIGGER "statespec_elevator_append_delete" BEFORE DELETE ON "statespec_elevator_journal"
BEGIN
  SELECT RAISE(ABORT, 'the journal of elevator is append-only');
END;

DROP TRIGGER IF EXISTS "statespec_elevator_append_insert";

CREATE TRIGGER "statespec_elevator_append_insert" BEFORE INSERT ON "statespec_elevator_journal"
WHEN EXISTS (SELECT 1 FROM "statespec_elevator_journal" WHERE entry = NEW.entry)
BEGIN
  SELECT RAISE(ABORT, 'the journal of elevator is append-only');
END;

DROP TRIGGER IF EXISTS "statespec_elevator_edge";

CREATE TRIGGER "statespec_elevator_edge" AFTER UPDATE ON "elevators"
WHEN OLD."state" COLLATE BINARY IS NOT NEW."state" AND (CASE OLD."state" COLLATE BINARY
  WHEN 'standing+shut' THEN (NEW."state" COLLATE BINARY = 'standing+opening' OR NEW."state" COLLATE BINARY = 'waiting+shut' OR NEW."state" COLLATE BINARY = 'up+shut' OR NEW."state" COLLATE BINARY = 'down+shut' OR NEW."state" COLLATE BINARY = 'maintenance')
  WHEN 'standing+opening' THEN (NEW."state" COLLATE BINARY = 'standing+open' OR NEW."state" COLLATE BINARY = 'waiting+opening')
  WHEN 'standing+open' THEN (NEW."state" COLLATE BINARY = 'standing+closing' OR NEW."state" COLLATE BINARY = 'waiting+open')
  WHEN 'standing+closing' THEN (NEW."state" COLLATE BINARY = 'standing+shut' OR NEW."state" COLLATE BINARY = 'standing+opening' OR NEW."state" COLLATE BINARY = 'waiting+closing')
  WHEN 'waiting+opening' THEN NEW."state" COLLATE BINARY = 'waiting+open'
  WHEN 'waiting+open' THEN NEW."state" COLLATE BINARY = 'waiting+closing'
  WHEN 'waiting+closing' THEN (NEW."state" COLLATE BINARY = 'waiting+shut' OR NEW."state" COLLATE BINARY = 'waiting+opening' OR NEW."state" COLLATE BINARY = 'up+shut' OR NEW."state" COLLATE BINARY = 'down+shut')
  WHEN 'up+shut' THEN (NEW."state" COLLATE BINARY = 'standing+opening' AND NOT (min(max(OLD."floor" + 1, -9223372036854775807 - 1), 9223372036854775807) < OLD."destination"))
  WHEN 'down+shut' THEN (NEW."state" COLLATE BINARY = 'standing+opening' AND NOT (min(max(OLD."floor" - 1, -9223372036854775807 - 1), 9223372036854775807) > OLD."destination"))
  WHEN 'maintenance' THEN NEW."state" COLLATE BINARY = 'standing+shut'
  ELSE 0 END) IS NOT 1
BEGIN
  SELECT CASE OLD."state" COLLATE BINARY
    WHEN 'standing+shut' THEN RAISE(ABORT, 'elevator: no such step; from standing+shut: standing+opening, waiting+shut, up+shut, down+shut, maintenance')
    WHEN 'standing+opening' THEN RAISE(ABORT, 'elevator: no such step; from standing+opening: standing+open, waiting+opening')
    WHEN 'standing+open' THEN RAISE(ABORT, 'elevator: no such step; from standing+open: standing+closing, waiting+open')
    WHEN 'standing+closing' THEN RAISE(ABORT, 'elevator: no such step; from standing+closing: standing+shut, standing+opening, waiting+closing')
    WHEN 'waiting+shut' THEN RAISE(ABORT, 'elevator: no such step; from waiting+shut: nothing')
    WHEN 'waiting+opening' THEN RAISE(ABORT, 'elevator: no such step; from waiting+opening: waiting+open')
    WHEN 'waiting+open' THEN RAISE(ABORT, 'elevator: no such step; from waiting+open: waiting+closing')
    WHEN 'waiting+closing' THEN RAISE(ABORT, 'elevator: no such step; from waiting+closing: waiting+shut, waiting+opening, up+shut, down+shut')
    WHEN 'up+shut' THEN RAISE(ABORT, 'elevator: no such step; from up+shut: standing+opening when not (floor + 1 < destination)')
    WHEN 'down+shut' THEN RAISE(ABORT, 'elevator: no such step; from down+shut: standing+opening when not (floor - 1 > destination)')
    WHEN 'maintenance' THEN RAISE(ABORT, 'elevator: no such step; from maintenance: standing+shut')
    ELSE RAISE(ABORT, 'elevator: the row has no state of the graph') END;
END;

DROP TRIGGER IF EXISTS "statespec_elevator_key";

CREATE TRIGGER "statespec_elevator_key" AFTER UPDATE ON "elevators"
WHEN OLD."id" IS NOT NEW."id"
BEGIN
  SELECT RAISE(ABORT, 'elevator: the key of a row never changes');
END;

DROP TRIGGER IF EXISTS "statespec_elevator_birth";

CREATE TRIGGER "statespec_elevator_birth" AFTER INSERT ON "elevators"
WHEN (NEW."state" COLLATE BINARY = 'standing+shut') IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'elevator: a row is inserted in: standing+shut');
END;

DROP TRIGGER IF EXISTS "statespec_elevator_delete";

CREATE TABLE IF NOT EXISTS "statespec_elevator_replaced" ("id", PRIMARY KEY ("id"));

DROP TRIGGER IF EXISTS "statespec_elevator_note_insert";

CREATE TRIGGER "statespec_elevator_note_insert" BEFORE INSERT ON "elevators"
WHEN EXISTS (SELECT 1 FROM "elevators" AS t WHERE t."id" = NEW."id") OR EXISTS (SELECT 1 FROM "statespec_elevator_replaced" AS n WHERE n."id" = NEW."id")
BEGIN
  DELETE FROM "statespec_elevator_replaced" WHERE "id" = NEW."id";
  INSERT INTO "statespec_elevator_replaced" SELECT NEW."id" WHERE EXISTS (SELECT 1 FROM "elevators" AS t WHERE t."id" = NEW."id");
END;

DROP TRIGGER IF EXISTS "statespec_elevator_no_insert";

CREATE TRIGGER "statespec_elevator_no_insert" AFTER INSERT ON "elevators"
WHEN EXISTS (SELECT 1 FROM "statespec_elevator_replaced" AS n WHERE n."id" = NEW."id")
BEGIN
  SELECT RAISE(ABORT, 'elevator: a row is never replaced');
END;

DROP TRIGGER IF EXISTS "statespec_elevator_note_update";

DROP TRIGGER IF EXISTS "statespec_elevator_no_update";

DROP TRIGGER IF EXISTS "statespec_elevator_record_update";

CREATE TRIGGER "statespec_elevator_record_update" AFTER UPDATE ON "elevators"
WHEN OLD."state" COLLATE BINARY IS NOT NEW."state" OR OLD."version" IS NOT NEW."version"
BEGIN
  INSERT INTO "statespec_elevator_journal" ("id", version, from_state, to_state, at, event, actor)
  VALUES (NEW."id", NEW."version", OLD."state", NEW."state", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), (SELECT event FROM statespec_statement), (SELECT actor FROM statespec_statement));
END;

DROP TRIGGER IF EXISTS "statespec_elevator_record_insert";

CREATE TRIGGER "statespec_elevator_record_insert" AFTER INSERT ON "elevators"
BEGIN
  INSERT INTO "statespec_elevator_journal" ("id", version, from_state, to_state, at, event, actor)
  VALUES (NEW."id", NEW."version", NULL, NEW."state", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), (SELECT event FROM statespec_statement), (SELECT actor FROM statespec_statement));
END;

DROP TRIGGER IF EXISTS "statespec_elevator_record_delete";

CREATE TRIGGER "statespec_elevator_record_delete" AFTER DELETE ON "elevators"
BEGIN
  INSERT INTO "statespec_elevator_journal" ("id", version, from_state, to_state, at, event, actor)
  VALUES (OLD."id", OLD."version", OLD."state", NULL, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), (SELECT event FROM statespec_statement), (SELECT actor FROM statespec_statement));
END;

CREATE TABLE IF NOT EXISTS "statespec_elevator_outbox" (
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

CREATE UNIQUE INDEX IF NOT EXISTS "statespec_elevator_outbox_entity" ON "statespec_elevator_outbox" (aggregateid, version, position);

CREATE TABLE IF NOT EXISTS "statespec_elevator_commands" (
  command text PRIMARY KEY,
  entity text,
  version INTEGER,
  from_state text,
  to_state text,
  at INTEGER NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000)
);

-- Undoes job_move.

BEGIN;

SET LOCAL lock_timeout = '2s';

UPDATE "public"."jobs" SET "status" = 'queued', "version" = "version" + 1 WHERE "status" = 'waiting';

COMMIT;

-- Run it once no program of the earlier revision writes, and before the last step.

BEGIN;

SET LOCAL lock_timeout = '2s';

UPDATE "public"."jobs" SET "status" = 'waiting', "version" = "version" + 1 WHERE "status" = 'queued';

COMMIT;

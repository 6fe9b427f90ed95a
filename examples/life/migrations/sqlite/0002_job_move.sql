-- Run it once no program of the earlier revision writes, and before the last step.

BEGIN IMMEDIATE;

UPDATE "jobs" SET "status" = 'waiting', "version" = "version" + 1 WHERE "status" = 'queued';

COMMIT;

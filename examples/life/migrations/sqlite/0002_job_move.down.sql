-- Undoes job_move.

BEGIN IMMEDIATE;

UPDATE "jobs" SET "status" = 'queued', "version" = "version" + 1 WHERE "status" = 'waiting';

COMMIT;

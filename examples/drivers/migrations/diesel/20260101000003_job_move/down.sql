-- Undoes job_move.

UPDATE "jobs" SET "status" = 'queued' WHERE "status" = 'waiting';

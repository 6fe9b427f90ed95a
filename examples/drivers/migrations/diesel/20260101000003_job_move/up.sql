-- Run it once no program of the earlier revision writes, and before the last step.

UPDATE "jobs" SET "status" = 'waiting' WHERE "status" = 'queued';

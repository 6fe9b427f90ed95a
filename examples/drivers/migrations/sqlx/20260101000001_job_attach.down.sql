-- Undoes job_attach.

DROP TRIGGER IF EXISTS "statespec_job_edge";

DROP TRIGGER IF EXISTS "statespec_job_key";

DROP TRIGGER IF EXISTS "statespec_job_birth";

DROP TRIGGER IF EXISTS "statespec_job_note_insert";

DROP TRIGGER IF EXISTS "statespec_job_no_insert";

-- engine = "postgresql"
-- table = "public.JOBS"
-- key = "ID"
-- state = "STATUS"
CREATE TABLE "JOBS" ("ID" int PRIMARY KEY, "STATUS" text);

-- engine = "postgresql"
-- table = "Job Queue.Work Items"
-- key = "The Key"
-- state = "It's \"State\""
CREATE SCHEMA "Job Queue";
CREATE TABLE "Job Queue"."Work Items" ("The Key" bigint PRIMARY KEY, "It's ""State""" text NOT NULL);

-- engine = "sqlite"
-- table = "Work Items"
-- key = "The Key"
-- state = "It's \"State\""
CREATE TABLE "Work Items" ("The Key" INTEGER PRIMARY KEY, "It's ""State""" TEXT);

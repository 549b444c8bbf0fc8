-- The connection by which a process beats. When a process dies its connections end at once, and the database knows.

ALTER TABLE processes ADD COLUMN line INTEGER NOT NULL DEFAULT 0;

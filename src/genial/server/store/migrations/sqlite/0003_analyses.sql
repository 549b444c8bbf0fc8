-- What bots think of games that are over: a cache, which is thought again when it is gone.

CREATE TABLE analyses (
    id TEXT NOT NULL PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    record BLOB NOT NULL,
    made INTEGER NOT NULL,
    thinker TEXT NOT NULL,
    done INTEGER NOT NULL,
    choices INTEGER NOT NULL,
    data BLOB NOT NULL
) WITHOUT ROWID;

CREATE INDEX analyses_made ON analyses (made, id);

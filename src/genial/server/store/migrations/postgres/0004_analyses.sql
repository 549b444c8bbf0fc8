-- What bots think of games that are over: a cache, which is thought again when it is gone.

CREATE TABLE analyses (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    key BYTEA NOT NULL UNIQUE,
    record BYTEA NOT NULL,
    made BIGINT NOT NULL,
    thinker TEXT COLLATE "C" NOT NULL,
    done INTEGER NOT NULL,
    choices INTEGER NOT NULL,
    data BYTEA NOT NULL
);

CREATE INDEX analyses_made ON analyses (made, id);

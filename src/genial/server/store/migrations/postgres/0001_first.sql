-- Tables, their logs, and who may do what. Text is compared byte by byte, as SQLite does.

CREATE TABLE tables (
    game TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    code TEXT COLLATE "C" NOT NULL,
    variant TEXT COLLATE "C" NOT NULL,
    seats INTEGER NOT NULL,
    status TEXT COLLATE "C" NOT NULL CHECK (status IN ('open', 'running', 'over', 'closed')),
    public INTEGER NOT NULL CHECK (public IN (0, 1)),
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    open_places INTEGER NOT NULL,
    name TEXT COLLATE "C" NOT NULL
)
-- Room in every page for the next version of a row, which each move writes.
WITH (fillfactor = 70);

CREATE UNIQUE INDEX tables_live_code ON tables (code) WHERE status IN ('open', 'running');
CREATE INDEX tables_code ON tables (code);
CREATE INDEX tables_lobby ON tables (status, public, created, game);
CREATE INDEX tables_created ON tables (created, game);
CREATE INDEX tables_updated ON tables (status, updated);

CREATE TABLE log (
    game TEXT COLLATE "C" NOT NULL REFERENCES tables (game) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq > 0),
    time BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    move_id TEXT COLLATE "C",
    data BYTEA NOT NULL,
    PRIMARY KEY (game, seq)
);

CREATE UNIQUE INDEX log_move ON log (game, move_id) WHERE move_id IS NOT NULL;

CREATE TABLE credentials (
    token_hash BYTEA NOT NULL,
    game TEXT COLLATE "C" NOT NULL REFERENCES tables (game) ON DELETE CASCADE,
    role TEXT COLLATE "C" NOT NULL CHECK (role IN ('seat', 'spectator', 'host', 'bot', 'device')),
    place INTEGER,
    device_hash BYTEA,
    created BIGINT NOT NULL
);

-- A place that is not there would make every row differ from every other.
CREATE UNIQUE INDEX credentials_key ON credentials (token_hash, game, role, coalesce(place, -1));
CREATE INDEX credentials_game ON credentials (game, created);
CREATE INDEX credentials_device ON credentials (device_hash, game) WHERE device_hash IS NOT NULL;

CREATE TABLE snapshots (
    game TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES tables (game) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    data BYTEA NOT NULL
);

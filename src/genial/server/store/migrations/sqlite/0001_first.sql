-- Tables, their logs, and who may do what.

CREATE TABLE tables (
    game TEXT NOT NULL PRIMARY KEY,
    code TEXT NOT NULL,
    variant TEXT NOT NULL,
    seats INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'running', 'over', 'closed')),
    public INTEGER NOT NULL CHECK (public IN (0, 1)),
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    open_places INTEGER NOT NULL,
    name TEXT NOT NULL
) WITHOUT ROWID;

CREATE UNIQUE INDEX tables_live_code ON tables (code) WHERE status IN ('open', 'running');
CREATE INDEX tables_code ON tables (code);
CREATE INDEX tables_lobby ON tables (status, public, created, game);
CREATE INDEX tables_created ON tables (created, game);
CREATE INDEX tables_updated ON tables (status, updated);

CREATE TABLE log (
    game TEXT NOT NULL REFERENCES tables (game) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq > 0),
    time INTEGER NOT NULL,
    kind TEXT NOT NULL,
    move_id TEXT,
    data BLOB NOT NULL,
    PRIMARY KEY (game, seq)
) WITHOUT ROWID;

CREATE UNIQUE INDEX log_move ON log (game, move_id) WHERE move_id IS NOT NULL;

CREATE TABLE credentials (
    token_hash BLOB NOT NULL,
    game TEXT NOT NULL REFERENCES tables (game) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('seat', 'spectator', 'host', 'bot', 'device')),
    place INTEGER,
    device_hash BLOB,
    created INTEGER NOT NULL
);

-- A place that is not there would make every row differ from every other.
CREATE UNIQUE INDEX credentials_key ON credentials (token_hash, game, role, coalesce(place, -1));
CREATE INDEX credentials_game ON credentials (game, created);
CREATE INDEX credentials_device ON credentials (device_hash, game) WHERE device_hash IS NOT NULL;

CREATE TABLE snapshots (
    game TEXT NOT NULL PRIMARY KEY REFERENCES tables (game) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    data BLOB NOT NULL
);

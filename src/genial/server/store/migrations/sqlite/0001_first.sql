-- Tables, their logs, and who sat at them.

CREATE TABLE tables (
    table_id TEXT NOT NULL PRIMARY KEY,
    code TEXT NOT NULL,
    variant TEXT NOT NULL,
    seats INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'running', 'over', 'closed')),
    public INTEGER NOT NULL CHECK (public IN (0, 1)),
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    open_places INTEGER NOT NULL,
    name TEXT NOT NULL,
    -- Kept in step with the log: an append that names another number as the last comes too late.
    last_seq INTEGER NOT NULL
) WITHOUT ROWID;

CREATE UNIQUE INDEX tables_live_code ON tables (code) WHERE status IN ('open', 'running');
CREATE INDEX tables_code ON tables (code);
CREATE INDEX tables_lobby ON tables (status, public, created, table_id);
CREATE INDEX tables_created ON tables (created, table_id);
CREATE INDEX tables_updated ON tables (status, updated);

CREATE TABLE log (
    table_id TEXT NOT NULL REFERENCES tables (table_id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq > 0),
    time INTEGER NOT NULL,
    kind TEXT NOT NULL,
    move_id TEXT,
    data BLOB NOT NULL,
    PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;

CREATE UNIQUE INDEX log_move ON log (table_id, move_id) WHERE move_id IS NOT NULL;

CREATE TABLE sat (
    table_id TEXT NOT NULL REFERENCES tables (table_id) ON DELETE CASCADE,
    device_hash BLOB NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (device_hash, table_id)
) WITHOUT ROWID;

CREATE INDEX sat_table ON sat (table_id, since);

-- What is kept by device rather than by table: bans and solo results.

CREATE TABLE bans (
    kind TEXT NOT NULL CHECK (kind IN ('device', 'address')),
    key_hash BLOB NOT NULL,
    until INTEGER,
    PRIMARY KEY (key_hash, kind)
) WITHOUT ROWID;

-- No reference to the table: a result outlives it.
CREATE TABLE results (
    device_hash BLOB NOT NULL,
    variant TEXT NOT NULL,
    seats INTEGER NOT NULL,
    table_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    lowest INTEGER NOT NULL,
    total INTEGER NOT NULL,
    time INTEGER NOT NULL,
    PRIMARY KEY (device_hash, table_id, number)
) WITHOUT ROWID;

CREATE INDEX results_best ON results (device_hash, variant, lowest DESC, total DESC, time);

-- Secrets of the server's own, which its processes share and a copy takes along.
CREATE TABLE secrets (
    name TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;

-- Rows that are written and read back to see whether the store works; each process has one, for a while.

CREATE TABLE probes (
    key TEXT NOT NULL PRIMARY KEY,
    time INTEGER NOT NULL
) WITHOUT ROWID;

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

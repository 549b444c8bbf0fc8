-- Tables, their logs, and who sat at them. Text is compared byte by byte, as SQLite does.

CREATE TABLE tables (
    table_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    code TEXT COLLATE "C" NOT NULL,
    variant TEXT COLLATE "C" NOT NULL,
    seats INTEGER NOT NULL,
    status TEXT COLLATE "C" NOT NULL CHECK (status IN ('open', 'running', 'over', 'closed')),
    public INTEGER NOT NULL CHECK (public IN (0, 1)),
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    open_places INTEGER NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    -- Kept in step with the log: an append that names another number as the last comes too late.
    last_seq INTEGER NOT NULL
)
-- Room in every page for the next version of a row, which each move writes.
WITH (fillfactor = 70);

CREATE UNIQUE INDEX tables_live_code ON tables (code) WHERE status IN ('open', 'running');
CREATE INDEX tables_code ON tables (code);
CREATE INDEX tables_lobby ON tables (status, public, created, table_id);
CREATE INDEX tables_created ON tables (created, table_id);
CREATE INDEX tables_updated ON tables (status, updated);

CREATE TABLE log (
    table_id TEXT COLLATE "C" NOT NULL REFERENCES tables (table_id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq > 0),
    time BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    move_id TEXT COLLATE "C",
    data BYTEA NOT NULL,
    PRIMARY KEY (table_id, seq)
);

CREATE UNIQUE INDEX log_move ON log (table_id, move_id) WHERE move_id IS NOT NULL;

CREATE TABLE sat (
    table_id TEXT COLLATE "C" NOT NULL REFERENCES tables (table_id) ON DELETE CASCADE,
    device_hash BYTEA NOT NULL,
    since BIGINT NOT NULL,
    PRIMARY KEY (device_hash, table_id)
);

CREATE INDEX sat_table ON sat (table_id, since);

-- What is kept by device rather than by table: bans and solo results.

CREATE TABLE bans (
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('device', 'address')),
    key_hash BYTEA NOT NULL,
    until BIGINT,
    PRIMARY KEY (key_hash, kind)
);

-- No reference to the table: a result outlives it.
CREATE TABLE results (
    device_hash BYTEA NOT NULL,
    variant TEXT COLLATE "C" NOT NULL,
    seats INTEGER NOT NULL,
    table_id TEXT COLLATE "C" NOT NULL,
    number INTEGER NOT NULL,
    lowest INTEGER NOT NULL,
    total INTEGER NOT NULL,
    time BIGINT NOT NULL,
    PRIMARY KEY (device_hash, table_id, number)
);

CREATE INDEX results_best ON results (device_hash, variant, lowest DESC, total DESC, time);

-- Secrets of the server's own, which its processes share and a copy takes along.
CREATE TABLE secrets (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    value BYTEA NOT NULL
);

-- Rows that are written and read back to see whether the store works; each process has one, for a while.

CREATE TABLE probes (
    key TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    time BIGINT NOT NULL
);

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

-- What several server processes tell each other. It holds for seconds and follows from who is running, so it is
-- not logged: after a crash of the database these are empty, and the processes fill them again.

CREATE UNLOGGED TABLE processes (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    -- It beats before this moment, or counts as dead.
    until TIMESTAMPTZ NOT NULL,
    -- The connection by which it beats. When a process dies its connections end at once, and the database knows.
    line INTEGER NOT NULL,
    -- What time it was for it when it last beat. A process that starts goes on with it, so that all agree to the
    -- moment though the clocks of their machines, or the database's, were set meanwhile.
    time BIGINT NOT NULL
);

CREATE VIEW living AS SELECT id, line FROM processes WHERE until > clock_timestamp();

-- Which process moves the bots of a running game, and rings its clock.
CREATE UNLOGGED TABLE owners (
    table_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    process TEXT COLLATE "C" NOT NULL
);

CREATE INDEX owners_process ON owners (process);

-- Who is connected to a table through which process.
CREATE UNLOGGED TABLE presence (
    table_id TEXT COLLATE "C" NOT NULL,
    process TEXT COLLATE "C" NOT NULL,
    devices TEXT[] NOT NULL,
    watching INTEGER NOT NULL,
    PRIMARY KEY (table_id, process)
);

CREATE INDEX presence_process ON presence (process);

-- Bots that play by HTTP and listen to a process: a host anywhere may invite them.
CREATE UNLOGGED TABLE listeners (
    device TEXT COLLATE "C" NOT NULL,
    process TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (device, process)
);

-- Token buckets that all processes take from; keys are hashes.
CREATE UNLOGGED TABLE buckets (
    key BYTEA NOT NULL PRIMARY KEY,
    most DOUBLE PRECISION NOT NULL,
    rate DOUBLE PRECISION NOT NULL,
    taken DOUBLE PRECISION NOT NULL,
    level DOUBLE PRECISION NOT NULL,
    since TIMESTAMPTZ NOT NULL
);

CREATE INDEX buckets_since ON buckets (since);

-- How many of something each process has open; keys are hashes.
CREATE UNLOGGED TABLE tallies (
    key BYTEA NOT NULL,
    process TEXT COLLATE "C" NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (key, process)
);

CREATE INDEX tallies_process ON tallies (process);

-- Bots' jobs that a process gives away: to workers who ask another process, or who may answer there. The data is
-- what the seat to move may know. Not logged: the process that wants the answer has the job in its memory.

CREATE UNLOGGED TABLE jobs (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    process TEXT COLLATE "C" NOT NULL,
    priority INTEGER NOT NULL,
    number BIGINT NOT NULL,
    data BYTEA,
    beat TIMESTAMPTZ,
    answer BYTEA
);

CREATE INDEX jobs_process ON jobs (process);
CREATE INDEX jobs_waiting ON jobs (priority, number) WHERE beat IS NULL;

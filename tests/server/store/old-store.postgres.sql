-- The schema of a PostgreSQL store at commit 4ecf47b: its six migrations, and the table that counts them.

CREATE TABLE schema_version (version INTEGER PRIMARY KEY, name TEXT NOT NULL);
COMMENT ON TABLE schema_version IS 'genial';
INSERT INTO schema_version SELECT number, 'migration ' || number FROM generate_series(1, 6) AS number;

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
    game TEXT COLLATE "C" NOT NULL,
    number INTEGER NOT NULL,
    lowest INTEGER NOT NULL,
    total INTEGER NOT NULL,
    time BIGINT NOT NULL,
    PRIMARY KEY (device_hash, game, number)
);

CREATE INDEX results_best ON results (device_hash, variant, lowest DESC, total DESC, time);

-- What several server processes tell each other. It holds for seconds and follows from who is running, so it is
-- not logged: after a crash of the database these are empty, and the processes fill them again.

CREATE UNLOGGED TABLE processes (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    beat TIMESTAMPTZ NOT NULL
);

-- Which process moves the bots of a running game, and rings its clock.
CREATE UNLOGGED TABLE owners (
    game TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    process TEXT COLLATE "C" NOT NULL
);

CREATE INDEX owners_process ON owners (process);

-- Who is connected to a table through which process.
CREATE UNLOGGED TABLE presence (
    game TEXT COLLATE "C" NOT NULL,
    process TEXT COLLATE "C" NOT NULL,
    devices TEXT[] NOT NULL,
    watching INTEGER NOT NULL,
    PRIMARY KEY (game, process)
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

-- The connection by which a process beats. When a process dies its connections end at once, and the database knows.

ALTER TABLE processes ADD COLUMN line INTEGER NOT NULL DEFAULT 0;

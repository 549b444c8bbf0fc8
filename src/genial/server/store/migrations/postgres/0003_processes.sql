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

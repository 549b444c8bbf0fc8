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

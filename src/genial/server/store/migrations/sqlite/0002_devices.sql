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
    game TEXT NOT NULL,
    number INTEGER NOT NULL,
    lowest INTEGER NOT NULL,
    total INTEGER NOT NULL,
    time INTEGER NOT NULL,
    PRIMARY KEY (device_hash, game, number)
) WITHOUT ROWID;

CREATE INDEX results_best ON results (device_hash, variant, lowest DESC, total DESC, time);

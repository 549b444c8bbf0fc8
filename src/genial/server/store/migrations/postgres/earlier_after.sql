
-- What schema 6 held comes over. A device that had several credentials at a table sat there since the first.

INSERT INTO tables
SELECT
    game, code, variant, seats, status, public, created, updated, open_places, name,
    (SELECT coalesce(max(seq), 0) FROM genial_schema_6.log WHERE log.game = tables.game)
FROM genial_schema_6.tables;

INSERT INTO log SELECT game, seq, time, kind, move_id, data FROM genial_schema_6.log;

INSERT INTO sat
SELECT game, device_hash, min(created)
FROM genial_schema_6.credentials
WHERE role = 'seat' AND device_hash IS NOT NULL
GROUP BY game, device_hash;

INSERT INTO bans SELECT kind, key_hash, until FROM genial_schema_6.bans;

INSERT INTO results
SELECT device_hash, variant, seats, game, number, lowest, total, time FROM genial_schema_6.results;

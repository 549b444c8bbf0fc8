
-- What schema 3 held comes over. A device that had several credentials at a table sat there since the first.

INSERT INTO tables
SELECT
    game, code, variant, seats, status, public, created, updated, open_places, name,
    (SELECT coalesce(max(seq), 0) FROM earlier_log WHERE earlier_log.game = earlier_tables.game)
FROM earlier_tables;

INSERT INTO log SELECT game, seq, time, kind, move_id, data FROM earlier_log;

INSERT INTO sat
SELECT game, device_hash, min(created)
FROM credentials
WHERE role = 'seat' AND device_hash IS NOT NULL
GROUP BY game, device_hash;

INSERT INTO bans SELECT kind, key_hash, until FROM earlier_bans;

INSERT INTO results SELECT device_hash, variant, seats, game, number, lowest, total, time FROM earlier_results;

DROP TABLE credentials;
DROP TABLE snapshots;
DROP TABLE earlier_log;
DROP TABLE earlier_tables;
DROP TABLE earlier_bans;
DROP TABLE earlier_results;

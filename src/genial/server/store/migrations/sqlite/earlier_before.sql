-- From schema 3: its tables and indexes give up the names that today's need.

DROP INDEX tables_live_code;
DROP INDEX tables_code;
DROP INDEX tables_lobby;
DROP INDEX tables_created;
DROP INDEX tables_updated;
DROP INDEX log_move;
DROP INDEX results_best;

ALTER TABLE tables RENAME TO earlier_tables;
ALTER TABLE log RENAME TO earlier_log;
ALTER TABLE bans RENAME TO earlier_bans;
ALTER TABLE results RENAME TO earlier_results;

-- Only a cache.
DROP TABLE analyses;


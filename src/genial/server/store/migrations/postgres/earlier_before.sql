-- From schema 6: its tables move as they are into a schema of their own. They stay there as the backup, a store that
-- a program of that time can serve.

CREATE SCHEMA genial_schema_6;

ALTER TABLE tables SET SCHEMA genial_schema_6;
ALTER TABLE log SET SCHEMA genial_schema_6;
ALTER TABLE credentials SET SCHEMA genial_schema_6;
ALTER TABLE snapshots SET SCHEMA genial_schema_6;
ALTER TABLE bans SET SCHEMA genial_schema_6;
ALTER TABLE results SET SCHEMA genial_schema_6;
ALTER TABLE analyses SET SCHEMA genial_schema_6;
ALTER TABLE processes SET SCHEMA genial_schema_6;
ALTER TABLE owners SET SCHEMA genial_schema_6;
ALTER TABLE presence SET SCHEMA genial_schema_6;
ALTER TABLE listeners SET SCHEMA genial_schema_6;
ALTER TABLE buckets SET SCHEMA genial_schema_6;
ALTER TABLE tallies SET SCHEMA genial_schema_6;
ALTER TABLE jobs SET SCHEMA genial_schema_6;

CREATE TABLE genial_schema_6.schema_version (LIKE schema_version INCLUDING ALL);
COMMENT ON TABLE genial_schema_6.schema_version IS 'genial';
INSERT INTO genial_schema_6.schema_version SELECT version, name FROM schema_version;


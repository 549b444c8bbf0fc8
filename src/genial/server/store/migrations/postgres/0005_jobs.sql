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

"""The SQL of processes that share a database: who lives, who owns which game, who is where, what is spent.

None of it has to outlast a crash of the database, so these tables are unlogged, and writing to them does not
wait for the disk. A process counts as living while its last beat is younger than the lease; who beats sees
also whose connection has ended, which it does at once where a process dies and the network does not.
"""

from __future__ import annotations

CHANNEL = "genial"

_LIVES = "beat > clock_timestamp() - make_interval(secs => {lease})"

BEAT = f"""
WITH me AS (
    INSERT INTO processes (id, beat, line) VALUES ($1, clock_timestamp(), pg_backend_pid())
    ON CONFLICT (id) DO UPDATE SET beat = excluded.beat, line = excluded.line
    RETURNING xmax = 0 AS born
)
SELECT me.born, ARRAY(
    SELECT id FROM processes WHERE id <> $1 AND {_LIVES.format(lease="$2::float8")}
        AND line IN (SELECT pid FROM pg_stat_get_activity(NULL))
) FROM me
"""
"""Whether our row had to be made, and the others that live."""

LEAVE = (
    "DELETE FROM presence WHERE process = ANY($1::text[])",
    "DELETE FROM tallies WHERE process = ANY($1::text[])",
    "DELETE FROM listeners WHERE process = ANY($1::text[])",
    "DELETE FROM jobs WHERE process = ANY($1::text[])",
    "DELETE FROM processes WHERE id = ANY($1::text[])",
)
"""What is left of processes that have ended goes, but for their games: they are taken over one by one."""

CLAIM = """
INSERT INTO owners (game, process) SELECT game, $2 FROM unnest($1::text[]) AS game
ON CONFLICT (game) DO UPDATE SET process = excluded.process WHERE owners.process = excluded.process
RETURNING game
"""
"""Games that nobody has owned yet."""

TAKE_OVER = f"""
INSERT INTO owners (game, process) SELECT game, $2 FROM unnest($1::text[]) AS game
ON CONFLICT (game) DO UPDATE SET process = excluded.process
WHERE owners.process = excluded.process OR NOT EXISTS (
    SELECT FROM processes WHERE id = owners.process AND {_LIVES.format(lease="$3::float8")}
)
RETURNING game
"""
"""The same, and those of owners who are no more."""

RELEASE = "DELETE FROM owners WHERE game = ANY($1::text[]) AND process = $2"

ORPHANS = f"""
SELECT game FROM tables WHERE status = 'running' AND NOT EXISTS (
    SELECT FROM owners JOIN processes ON processes.id = owners.process
    WHERE owners.game = tables.game AND {_LIVES.format(lease="$1::float8")}
) ORDER BY game LIMIT $2
"""
"""Running games whose owner is no more, or that never had one."""

BEHIND = """
SELECT known.game FROM unnest($1::text[], $2::integer[]) AS known (game, seq)
WHERE (SELECT max(seq) FROM log WHERE log.game = known.game) > known.seq
"""
"""Tables whose logs go on beyond what we know."""

TELL = f"SELECT pg_notify('{CHANNEL}', told) FROM unnest($1::text[]) AS told"

PRESENT = """
INSERT INTO presence (game, process, devices, watching) VALUES ($1, $2, $3, $4)
ON CONFLICT (game, process) DO UPDATE SET devices = excluded.devices, watching = excluded.watching
"""

ABSENT = "DELETE FROM presence WHERE game = ANY($1::text[]) AND process = $2"

LOOK = f"""
SELECT game, process, devices, watching FROM presence JOIN processes ON processes.id = presence.process
WHERE game = ANY($1::text[]) AND process <> $2 AND {_LIVES.format(lease="$3::float8")}
"""

LISTEN = """
INSERT INTO listeners (device, process, name) VALUES ($1, $2, $3)
ON CONFLICT (device, process) DO UPDATE SET name = excluded.name
"""

DEAFEN = "DELETE FROM listeners WHERE device = $1 AND process = $2"

LISTENERS = f"""
SELECT DISTINCT device, name FROM listeners JOIN processes ON processes.id = listeners.process
WHERE process <> $1 AND {_LIVES.format(lease="$2::float8")}
"""

SPEND = """
INSERT INTO buckets (key, most, rate, taken, level, since)
SELECT key, most, rate, taken, most - taken, clock_timestamp()
FROM unnest($1::bytea[], $2::float8[], $3::float8[], $4::float8[]) AS spent (key, most, rate, taken)
ON CONFLICT (key) DO UPDATE SET most = excluded.most, rate = excluded.rate, taken = excluded.taken,
    since = excluded.since, level = greatest(-excluded.most, least(excluded.most, buckets.level
        + excluded.rate * extract(epoch FROM excluded.since - buckets.since)) - excluded.taken)
RETURNING key, level
"""
"""Take from the buckets that all processes share; gives what is left, less than nothing if overdrawn."""

COUNT = """
INSERT INTO tallies (key, process, count) SELECT key, $3, count
FROM unnest($1::bytea[], $2::integer[]) AS own (key, count)
ON CONFLICT (key, process) DO UPDATE SET count = excluded.count
"""

OTHERS = f"""
SELECT key, sum(count)::integer FROM tallies JOIN processes ON processes.id = tallies.process
WHERE key = ANY($1::bytea[]) AND process <> $2 AND {_LIVES.format(lease="$3::float8")} GROUP BY key
"""

GIVE_JOBS = """
INSERT INTO jobs (id, process, priority, number, data, beat)
SELECT id, $2, priority, number, data, CASE WHEN data IS NULL THEN clock_timestamp() END
FROM unnest($1::text[], $3::integer[], $4::bigint[], $5::bytea[]) AS given (id, priority, number, data)
"""
"""Jobs for whoever takes them; those without data are with a worker already."""

TAKE_JOB = f"""
UPDATE jobs SET beat = clock_timestamp() WHERE id = (
    SELECT id FROM jobs WHERE beat IS NULL AND process <> $1 AND priority < $2 AND EXISTS (
        SELECT FROM processes WHERE processes.id = jobs.process AND {_LIVES.format(lease="$3::float8")}
    )
    ORDER BY priority, number LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING id, process, data
"""
"""The first that nobody has, if it is more urgent than what the taker has itself."""

BEAT_JOB = "UPDATE jobs SET beat = clock_timestamp() WHERE id = $1 AND answer IS NULL RETURNING process"

ANSWER_JOB = "UPDATE jobs SET answer = $2 WHERE id = $1 AND answer IS NULL RETURNING process"

SEE_JOBS = """
SELECT id, extract(epoch FROM clock_timestamp() - beat)::float8, answer FROM jobs WHERE process = $1
"""
"""Our own: how long ago each one's worker was heard of, None if it has none, and its answer."""

TAKE_BACK_JOBS = """
DELETE FROM jobs WHERE id = ANY($1::text[]) AND process = $2 AND beat IS NULL RETURNING id
"""

END_JOBS = "DELETE FROM jobs WHERE id = ANY($1::text[]) AND process = $2"

TIDY = (
    "DELETE FROM buckets WHERE since < clock_timestamp() - interval '1 hour'",
    "DELETE FROM tallies WHERE count = 0",
    "DELETE FROM owners WHERE NOT EXISTS (SELECT FROM tables"
    " WHERE tables.game = owners.game AND tables.status = 'running')",
    "DELETE FROM presence WHERE NOT EXISTS (SELECT FROM processes WHERE id = presence.process)",
    "DELETE FROM jobs WHERE NOT EXISTS (SELECT FROM processes WHERE id = jobs.process)",
    "DELETE FROM processes WHERE beat < clock_timestamp() - interval '1 minute'",
)

/** Quotas in a table of the PostgreSQL database, without the write lock (account API 5). */
import { openPool, WRITE_LOCK_KEY } from '../postgres-pool.ts'
import { type QuotaStore, type QuotaTable, quotaStore } from './quota-store.ts'
import { bucketsOf, HOUR_BUCKETS, HOURLY_LIMIT, MINUTE_BUCKETS, MONTHLY_LIMIT, type QuotaRings } from './rings.ts'

/** The fill factor leaves room for replaced rows, so that updates stay on one page. */
const LAYOUT = `
  BEGIN;
  SELECT pg_advisory_xact_lock(${WRITE_LOCK_KEY});
  CREATE TABLE IF NOT EXISTS quotas (
    account_id text NOT NULL PRIMARY KEY,
    minute integer NOT NULL,
    minutes smallint[] NOT NULL,
    minutes_sum integer NOT NULL,
    hour integer NOT NULL,
    hours smallint[] NOT NULL,
    hours_sum integer NOT NULL,
    -- Of the last statement that counted.
    granted integer NOT NULL
  ) WITH (fillfactor = 50);
  COMMIT`

/** The number of buckets between the newest and the current one, at most all of them. */
const by = (ring: 'minute' | 'hour', buckets: number, current: string) =>
  `least(greatest(${current} - quotas.${ring}, 0), ${buckets})`

/** The number of requests that leave the window when it advances. */
const leaving = (ring: 'minute' | 'hour', buckets: number, current: string) =>
  `(SELECT sum(count) FROM unnest(array_prepend(0::smallint, quotas.${ring}s[1:${by(ring, buckets, current)}])) AS leaves (count))`

/** The ring after it advanced, with the granted requests added to its newest bucket. */
function counted(ring: 'minute' | 'hour', buckets: number, current: string): string {
  const moved = by(ring, buckets, current)
  const longer = `(quotas.${ring}s || array_fill(0::smallint, ARRAY[${moved}]))`
  return `${longer}[${moved} + 1 : ${moved} + ${buckets - 1}] || (${longer}[${moved} + ${buckets}] + ${ROOM})::smallint`
}

const MINUTE = ['minute', MINUTE_BUCKETS, '$2::integer'] as const
const HOUR = ['hour', HOUR_BUCKETS, '$3::integer'] as const

/** How many of the requests both windows have room for. */
const ROOM = `least($4::integer,
    ${HOURLY_LIMIT} - minutes_sum + ${leaving(...MINUTE)},
    ${MONTHLY_LIMIT} - hours_sum + ${leaving(...HOUR)})`

// TRICKY: the setting holds for this one statement, whose commit then does not wait for the disk. Under concurrent
// updates the server judges the row again as the other left it, because every expression reads nothing but the row
// itself ("two processes").
const COUNT = `
  WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS setting)
  UPDATE quotas SET
    granted = ${ROOM},
    minutes_sum = minutes_sum - ${leaving(...MINUTE)} + ${ROOM},
    minutes = ${counted(...MINUTE)},
    minute = greatest(minute, $2::integer),
    hours_sum = hours_sum - ${leaving(...HOUR)} + ${ROOM},
    hours = ${counted(...HOUR)},
    hour = greatest(hour, $3::integer)
  FROM relaxed
  WHERE quotas.account_id = $1 AND relaxed.setting = 'off' AND ${ROOM} > 0
  RETURNING minute, minutes, hour, hours, granted`

const ADD = `
  INSERT INTO quotas (account_id, minute, minutes, minutes_sum, hour, hours, hours_sum, granted)
  VALUES ($1, $2, array_fill(0::smallint, ARRAY[${MINUTE_BUCKETS}]), 0,
    $3, array_fill(0::smallint, ARRAY[${HOUR_BUCKETS}]), 0, 0)
  ON CONFLICT DO NOTHING`

const READ = 'SELECT minute, minutes, hour, hours FROM quotas WHERE account_id = $1'

const CONNECTIONS = 4
/** A check that takes longer refuses the request. */
const ANSWER_MS = 2_000

/** Quotas in the database of a URL, for any number of processes; laid out when they are first needed. */
export const openPostgresQuotas = (url: string): QuotaStore => quotaStore(() => openTable(url))

async function openTable(url: string): Promise<QuotaTable> {
  const pool = openPool(url, { max: CONNECTIONS, answer_ms: ANSWER_MS })
  // A connection that breaks while it is idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  try {
    await pool.query(LAYOUT)
  } catch (error) {
    await pool.end()
    throw error
  }
  const ask = async (sql: string, values: readonly unknown[]): Promise<(QuotaRings & { granted: number }) | null> => {
    const { rows } = await pool.query<QuotaRings & { granted: number }>(sql, [...values])
    return rows[0] ?? null
  }
  const placed = (account_id: string, now: number) => {
    const { minute, hour } = bucketsOf(now)
    return [account_id, minute, hour]
  }
  return {
    async count(account_id, now, requests) {
      const row = await ask(COUNT, [...placed(account_id, now), requests])
      return row === null ? null : { granted: row.granted, rings: row }
    },
    add: async (account_id, now) => void (await ask(ADD, placed(account_id, now))),
    read: (account_id) => ask(READ, [account_id]),
    close: () => pool.end(),
  }
}

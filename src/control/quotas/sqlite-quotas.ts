/** Quotas in an SQLite file of their own: counting waits for neither control store nor disk (account API 5). */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type QuotaStore, type QuotaTable, quotaStore } from './quota-store.ts'
import { bucketsOf, HOUR_BUCKETS, HOURLY_LIMIT, MINUTE_BUCKETS, MONTHLY_LIMIT, type QuotaRings } from './rings.ts'

/** Counters of 16 bits are enough, because a bucket never exceeds the hourly limit. */
const COUNTER_BYTES = 2

const LAYOUT = `
  CREATE TABLE IF NOT EXISTS quotas (
    account_id TEXT NOT NULL PRIMARY KEY,
    minute INTEGER NOT NULL,
    minutes BLOB NOT NULL,
    minutes_sum INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    hours BLOB NOT NULL,
    hours_sum INTEGER NOT NULL,
    -- Of the last statement that counted.
    granted INTEGER NOT NULL
  ) STRICT`

/** How many of the requests both windows have room for. */
const ROOM = `min(:requests,
    ${HOURLY_LIMIT} - minutes_sum + leaving(minutes, :minute - minute),
    ${MONTHLY_LIMIT} - hours_sum + leaving(hours, :hour - hour))`

const COUNT = `
  UPDATE quotas SET
    granted = ${ROOM},
    minutes_sum = minutes_sum - leaving(minutes, :minute - minute) + ${ROOM},
    minutes = counted(minutes, :minute - minute, ${ROOM}),
    minute = max(minute, :minute),
    hours_sum = hours_sum - leaving(hours, :hour - hour) + ${ROOM},
    hours = counted(hours, :hour - hour, ${ROOM}),
    hour = max(hour, :hour)
  WHERE account_id = :account_id AND ${ROOM} > 0
  RETURNING minute, minutes, hour, hours, granted`

const ADD = `
  INSERT INTO quotas (account_id, minute, minutes, minutes_sum, hour, hours, hours_sum, granted)
  VALUES (:account_id, :minute, zeroblob(${MINUTE_BUCKETS * COUNTER_BYTES}), 0,
    :hour, zeroblob(${HOUR_BUCKETS * COUNTER_BYTES}), 0, 0)
  ON CONFLICT DO NOTHING`

const READ = 'SELECT minute, minutes, hour, hours FROM quotas WHERE account_id = :account_id'

/** How long a statement waits for another process. */
const BUSY_MS = 1_000

/** Quotas in `file`, made (mode 0600) when they are first needed. A power cut may lose the last seconds of counting. */
export const openSqliteQuotas = (file: string): QuotaStore => quotaStore(async () => openTable(file))

function openTable(file: string): QuotaTable {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  const sqlite = new DatabaseSync(file, { timeout: BUSY_MS })
  try {
    chmodSync(file, 0o600)
    sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    sqlite.function('leaving', { deterministic: true }, (ring, by) => leaving(ring, Number(by)))
    sqlite.function('counted', { deterministic: true }, (ring, by, requests) =>
      counted(ring, Number(by), Number(requests)),
    )
    sqlite.exec(LAYOUT)
    const [count, add, read] = [sqlite.prepare(COUNT), sqlite.prepare(ADD), sqlite.prepare(READ)]
    return {
      async count(account_id, now, requests) {
        const row = count.get({ account_id, requests, ...bucketsOf(now) })
        const rings = ringsOf(row)
        return rings === null ? null : { granted: Number(row?.granted), rings }
      },
      add: async (account_id, now) => void add.run({ account_id, ...bucketsOf(now) }),
      read: async (account_id) => ringsOf(read.get({ account_id })),
      close: async () => sqlite.close(),
    }
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** The number of requests that leave the window when it advances by `by` buckets; usually none. */
function leaving(ring: unknown, by: number): number {
  if (by <= 0) return 0
  let sum = 0
  for (const count of countersOf(ring).subarray(0, by)) sum += count
  return sum
}

/** The ring after it advanced by `by` buckets, with `requests` added to its newest one. */
function counted(ring: unknown, by: number, requests: number): Uint8Array {
  const counters = countersOf(ring)
  if (by > 0) {
    counters.copyWithin(0, by)
    counters.fill(0, Math.max(0, counters.length - by))
  }
  const newest = counters.length - 1
  counters[newest] = Number(counters[newest]) + requests
  return new Uint8Array(counters.buffer)
}

function ringsOf(row: Readonly<Record<string, unknown>> | undefined): QuotaRings | null {
  if (row === undefined) return null
  const { minute, minutes, hour, hours } = row
  return {
    minute: Number(minute),
    minutes: countersOf(minutes),
    hour: Number(hour),
    hours: countersOf(hours),
  }
}

/** A copy of a stored ring. */
function countersOf(blob: unknown): Uint16Array<ArrayBuffer> {
  if (!(blob instanceof Uint8Array)) throw new Error('a ring of a quota is not stored as bytes')
  return new Uint16Array(Uint8Array.prototype.slice.call(blob).buffer as ArrayBuffer)
}

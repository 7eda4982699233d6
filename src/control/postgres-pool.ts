import { Pool, types } from 'pg'

/** The key of the write lock among the advisory locks of the database. */
export const WRITE_LOCK_KEY = '5820394417263051'

const CONNECT_MS = 5_000

/**
 * Connections to a database, with a limit for each answer in milliseconds. A pooler may lend connections for one
 * transaction (pgbouncer, decisions 8.2). So nothing is set for a session, neither in the startup packet nor by SET, no
 * statement has a name, and the server's limits are set in each transaction.
 */
export function openPool(connectionString: string, { max, answer_ms }: { max: number; answer_ms: number }): Pool {
  return new Pool({
    connectionString,
    max,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: answer_ms,
    // For this pool only, because the driver's own table of types belongs to the whole process.
    types: { getTypeParser: (oid, format) => (oid === BIGINT ? readBigint : types.getTypeParser(oid, format)) },
  })
}

const BIGINT = 20

/** Instants and builds are safe integers; any other number is refused instead of rounded. */
function readBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`The control store holds a number past 2^53: ${text}.`)
  return value
}

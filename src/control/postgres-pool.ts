import { Pool, types } from 'pg'

/** The key of the writers' turn among the advisory locks of the database. */
export const WRITERS_TURN = '5820394417263051'

const CONNECT_MS = 5_000

/**
 * Connections to a database, with a limit on how long an answer may take (milliseconds). A pooler may stand between
 * that lends a connection for one transaction (pgbouncer, decisions 8.2): so nothing is set for a session, neither in
 * the startup packet nor by SET, no statement has a name, and the server's own limits are set in each transaction.
 */
export function openPool(connectionString: string, { max, answer_ms }: { max: number; answer_ms: number }): Pool {
  return new Pool({
    connectionString,
    max,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: answer_ms,
    // Of this pool only: the driver's own table of types belongs to the whole process.
    types: { getTypeParser: (oid, format) => (oid === BIGINT ? readBigint : types.getTypeParser(oid, format)) },
  })
}

const BIGINT = 20

/** Instants and builds are whole numbers that JavaScript holds exactly; anything else is refused, not rounded. */
function readBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`The control store holds a number past 2^53: ${text}.`)
  return value
}

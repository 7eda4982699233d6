import { Pool, types } from 'pg'

/** The key of the writers' turn among the advisory locks of the database. */
export const WRITERS_TURN = '5820394417263051'

const CONNECT_MS = 5_000
/** A process that stands still inside a transaction must not keep the others waiting past their own limit. */
const IDLE_INSIDE_MS = 15_000
/** Past the server's own limit the network is at fault, and the connection is given up. */
const NETWORK_GRACE_MS = 5_000

/** Connections to a database, with limits on how long a statement may take (milliseconds). */
export function openPool(connectionString: string, { max, statement_ms }: { max: number; statement_ms: number }): Pool {
  return new Pool({
    connectionString,
    max,
    application_name: 'spoor',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: statement_ms,
    query_timeout: statement_ms + NETWORK_GRACE_MS,
    idle_in_transaction_session_timeout: Math.min(IDLE_INSIDE_MS, statement_ms),
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

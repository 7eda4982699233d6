import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely, KyselyPlugin, Transaction } from 'kysely'
import { RunningWork } from '#concurrency/running-work.ts'
import { Refusal } from '#refusal.ts'
import type { ControlTables } from './tables.ts'

/** The control store: one per service, the same on every database that Kysely speaks to (decisions 8). */
export interface ControlStore {
  /** Single statements, each its own transaction. Inside `transaction` or `snapshot` use what they hand you instead. */
  readonly db: Kysely<ControlTables>
  /**
   * Runs `work` in one transaction: its result is durable once the promise resolves, nothing of it stays when `work`
   * throws. Transactions take turns, so no statement of another one runs between its statements. The others wait, and
   * a server may ask for `work` again: it must contain only statements.
   */
  transaction<T>(work: (trx: ControlTransaction) => Promise<T>): Promise<T>
  /** Runs reads that all see one instant; a write inside is an error. */
  snapshot<T>(work: (trx: ControlTransaction) => Promise<T>): Promise<T>
  /** Resolves when the store answers, throws when it does not. */
  ping(): Promise<void>
  /** The database server and its clock (epoch milliseconds), for diagnosis; null where the store is a file. */
  server(): Promise<{ version: string; now: number } | null>
  /**
   * Writes the whole store as of one instant to a new file, which `openSqliteControl` opens.
   * @throws Refusal not_built where the database has a backup of its own.
   */
  copyTo(file: string): Promise<void>
  /** After deleting what must not outlive its row: leaves no trace of it in files that this store can still reach. */
  scrub(): Promise<void>
  /** Waits for the running transaction and closes; closing twice is harmless. */
  close(): Promise<void>
}

export type ControlTransaction = Transaction<ControlTables>

/** What a function needs that may run alone or as a part of a transaction: `control.db` or a transaction. */
export type ControlDb = Kysely<ControlTables>

interface ControlStoreOptions {
  mayRepeat?: (error: unknown) => boolean
  ping?: ControlStore['ping']
  copyTo?: ControlStore['copyTo']
  scrub?: ControlStore['scrub']
  server?: ControlStore['server']
}

/**
 * Makes the control store of an opened and migrated database; `end` releases what the database holds, `mayRepeat` knows
 * the failures after which a transaction, of which nothing stayed, is simply run again, `ping` asks a server, `copyTo`
 * copies an embedded store, `scrub` overwrites what it deleted.
 */
export function controlStore(
  database: Kysely<ControlTables>,
  end: () => Promise<void>,
  {
    mayRepeat = () => false,
    ping = async () => {
      await database.selectFrom('settings').select('name').limit(1).execute()
    },
    copyTo = refuseCopy,
    scrub = async () => {},
    server = async () => null,
  }: ControlStoreOptions = {},
): ControlStore {
  const running = new AsyncLocalStorage<{ open: boolean }>()
  const refuseInside = () => {
    if (running.getStore()?.open) throw new Error(INSIDE_TRANSACTION)
  }
  const inScope = async <T>(work: () => Promise<T>): Promise<T> => {
    const scope = { open: true }
    try {
      return await running.run(scope, work)
    } finally {
      scope.open = false
    }
  }
  const begun = new RunningWork()
  const inTransaction = async <T>(work: (trx: ControlTransaction) => Promise<T>): Promise<T> => {
    for (let run = 1; ; run++) {
      try {
        return await database.transaction().execute((trx) => inScope(() => work(trx)))
      } catch (error) {
        if (run === MAX_RUNS || !mayRepeat(error)) throw error
        await pause(run * AFTER_YOU_MS)
      }
    }
  }
  let closing: Promise<void> | undefined
  return {
    db: database.withPlugin(beforeEachQuery(refuseInside)),
    async transaction(work) {
      refuseInside()
      return begun.track(inTransaction(work))
    },
    async snapshot(work) {
      refuseInside()
      const reading = database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
      return begun.track(reading.execute((trx) => inScope(() => work(trx))))
    },
    ping,
    server,
    copyTo,
    scrub,
    close() {
      closing ??= begun.ended().then(end)
      return closing
    },
  }
}

async function refuseCopy(): Promise<never> {
  throw new Refusal(
    'not_built',
    'The control store is a PostgreSQL database, which {next} does not copy: back it up with pg_dump, and the evidence by copying the data folder of a stopped service (docs/operating/postgresql.md).',
    { next: { step: 'back_up' } },
  )
}

const MAX_RUNS = 5
/** A pause for the other transaction to finish, growing with each run. */
const AFTER_YOU_MS = 20

// TRICKY: with one connection a statement on `db` would wait for its own transaction for ever ("refuses the store's own
// db").
const INSIDE_TRANSACTION =
  'A transaction of the control store is running here: use the transaction it hands you, not the store.'

function beforeEachQuery(check: () => void): KyselyPlugin {
  return {
    transformQuery(args) {
      check()
      return args.node
    },
    transformResult: async (args) => args.result,
  }
}

/** Counts requests of surface B and MCP exactly, for any number of processes (account API 5). */
import type { QuotaRings } from './rings.ts'
import { blockedWindow, readQuotas } from './windows.ts'

export interface QuotaStore {
  /**
   * Checks and counts one request at an instant (epoch milliseconds) in one statement. It is counted if both windows
   * have room.
   * @throws if the store fails; the request must be refused then.
   */
  count(account_id: string, now: number): Promise<{ is_counted: boolean; rings: QuotaRings }>
  /** The counters of an account as of its last request; null: it had none. */
  read(account_id: string): Promise<QuotaRings | null>
  /** It may be closed twice; a later count opens it again. */
  close(): Promise<void>
}

/** The operations of one kind of store. */
export interface QuotaTable {
  /**
   * Counts as many of `requests` as both windows have room for, at least one. Returns null if none fits or the row is
   * missing.
   */
  count(account_id: string, now: number, requests: number): Promise<{ granted: number; rings: QuotaRings } | null>
  read(account_id: string): Promise<QuotaRings | null>
  /** Adds a row without requests, unless there is one. */
  add(account_id: string, now: number): Promise<void>
  close(): Promise<void>
}

type Counted = Awaited<ReturnType<QuotaStore['count']>>

interface WaitingRequest {
  now: number
  resolve(counted: Counted): void
  reject(error: unknown): void
}

/**
 * A quota store that opens at its first use, and again after a failure. Requests of an account that arrive while its
 * statement runs are checked together by the next statement, so that none waits for many others.
 */
export function quotaStore(open: () => Promise<QuotaTable>): QuotaStore {
  let opening: Promise<QuotaTable> | undefined
  const opened = () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  /** Waiting requests of accounts whose statement runs. */
  const waiting = new Map<string, WaitingRequest[]>()
  const judgeAll = async (account_id: string, first: WaitingRequest) => {
    const next: WaitingRequest[] = []
    waiting.set(account_id, next)
    for (let group = [first]; group.length > 0; group = next.splice(0)) {
      await opened()
        .then((table) => judge(table, account_id, group))
        .catch((error: unknown) => {
          for (const { reject } of group) reject(error)
        })
    }
    waiting.delete(account_id)
  }
  return {
    count: (account_id, now) =>
      new Promise((resolve, reject) => {
        const request = { now, resolve, reject }
        const others = waiting.get(account_id)
        if (others === undefined) void judgeAll(account_id, request)
        else others.push(request)
      }),
    read: async (account_id) => (await opened()).read(account_id),
    async close() {
      const table = opening
      opening = undefined
      await (await table?.catch(() => undefined))?.close()
    },
  }
}

/** Tries until the row of an account exists: several processes may add it at once. */
const MAX_TRIES = 5

/** Checks a group of requests; the first ones pass, as far as there is room. */
async function judge(table: QuotaTable, account_id: string, group: readonly WaitingRequest[]): Promise<void> {
  const now = Math.max(...group.map((request) => request.now))
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const counted = await table.count(account_id, now, group.length)
    const rings = counted === null ? await table.read(account_id) : counted.rings
    if (rings === null) await table.add(account_id, now)
    // With room left, another process has added the row since.
    else if (counted !== null || blockedWindow(readQuotas(rings, now)) !== null) {
      const granted = counted === null ? NONE : counted.granted
      for (const [at, { resolve }] of group.entries()) resolve({ is_counted: at < granted, rings })
      return
    }
  }
  throw new Error('the quota could be neither counted nor found full')
}

const NONE = 0

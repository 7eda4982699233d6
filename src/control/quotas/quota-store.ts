/** Where requests of surface B and MCP are counted, exactly, by any number of processes (account API 5). */
import type { QuotaRings } from './rings.ts'
import { blockedWindow, readQuotas } from './windows.ts'

export interface QuotaStore {
  /**
   * Judges and counts one request at an instant (epoch milliseconds) in one statement: it is counted when both
   * windows have room.
   * @throws when the store fails; then the request must be refused.
   */
  count(account_id: string, now: number): Promise<{ is_counted: boolean; rings: QuotaRings }>
  /** What is counted of an account, as of its last request; null before the first one. */
  read(account_id: string): Promise<QuotaRings | null>
  /** Closing twice is harmless; a later count opens it again. */
  close(): Promise<void>
}

/** How one kind of store does it; `count` answers null where a window is full or the account has no row. */
export interface QuotaTable {
  count(account_id: string, now: number): Promise<QuotaRings | null>
  read(account_id: string): Promise<QuotaRings | null>
  /** Adds a row without requests, unless there is one. */
  add(account_id: string, now: number): Promise<void>
  close(): Promise<void>
}

/** The first request of an account adds its row, and several may be first at once. */
const MAX_TRIES = 5

/** A quota store that opens when it is first needed, and again after it could not be opened. */
export function quotaStore(open: () => Promise<QuotaTable>): QuotaStore {
  let opening: Promise<QuotaTable> | undefined
  const opened = () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  return {
    async count(account_id, now) {
      const table = await opened()
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const counted = await table.count(account_id, now)
        if (counted !== null) return { is_counted: true, rings: counted }
        const rings = await table.read(account_id)
        if (rings === null) await table.add(account_id, now)
        // With room left, another request has added the row meanwhile.
        else if (blockedWindow(readQuotas(rings, now)) !== null) return { is_counted: false, rings }
      }
      throw new Error('the quota could be neither counted nor found full')
    },
    read: async (account_id) => (await opened()).read(account_id),
    async close() {
      const table = opening
      opening = undefined
      await (await table?.catch(() => undefined))?.close()
    },
  }
}

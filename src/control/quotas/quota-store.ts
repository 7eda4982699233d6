/** Where requests of surface B and MCP are counted, exactly, by any number of processes (account API 5). */

/** Limits of every account (spec 8). */
export const HOURLY_LIMIT = 1_000
export const MONTHLY_LIMIT = 100_000
/** The current minute and the 60 before it; the current hour and the 720 before it. */
export const MINUTE_BUCKETS = 61
export const HOUR_BUCKETS = 721

/** Counters of an account, the newest last. */
export interface QuotaRings {
  /** Number of the newest minute, counted from 1970. */
  minute: number
  minutes: readonly number[]
  /** Number of the newest hour, counted from 1970. */
  hour: number
  hours: readonly number[]
}

export interface QuotaStore {
  /**
   * Judges and counts one request at an instant (epoch milliseconds) in one statement: it is counted when both windows have room.
   * @throws when the store fails; then the request must be refused.
   */
  count(account_id: string, now: number): Promise<{ is_counted: boolean; rings: QuotaRings }>
  /** What is counted of an account, as of its last request; null before the first one. */
  read(account_id: string): Promise<QuotaRings | null>
  /** Closing twice is harmless; a later count opens it again. */
  close(): Promise<void>
}

/** Numbers of the minute and the hour of an instant. */
export const bucketsOf = (now: number) => ({
  minute: Math.floor(now / 60_000),
  hour: Math.floor(now / 3_600_000),
})

/** How one kind of store does it; `count` answers null where a window is full or the account has no row. */
export interface QuotaTable {
  count(account_id: string, now: number): Promise<QuotaRings | null>
  read(account_id: string): Promise<QuotaRings | null>
  /** Adds a row without requests, unless there is one. */
  add(account_id: string, now: number): Promise<void>
  close(): Promise<void>
}

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
      for (;;) {
        const counted = await table.count(account_id, now)
        if (counted !== null) return { is_counted: true, rings: counted }
        const full = await table.read(account_id)
        if (full !== null) return { is_counted: false, rings: full }
        await table.add(account_id, now)
      }
    },
    read: async (account_id) => (await opened()).read(account_id),
    async close() {
      const table = opening
      opening = undefined
      await (await table?.catch(() => undefined))?.close()
    },
  }
}

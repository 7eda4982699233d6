import { MINUTE_MS } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'

/** Collects uses of keys in memory, so that a request writes nothing; `last_used_at` has a minute's grain (rules 7). */
export interface KeyUses {
  record(key_id: string, at: number): void
  /** Writes what was collected, in one transaction; its owner calls it once a minute and before the store closes. */
  flush(): Promise<void>
}

/**
 * Of all secrets that requests are authenticated by; their ids never coincide. A crash loses at most the uses since the
 * last flush; what could not be written is kept for the next.
 */
export function collectKeyUses({ control }: { control: ControlStore }): KeyUses {
  let collected = new Map<string, number>()
  const record = (key_id: string, at: number) => {
    const minute = at - (at % MINUTE_MS)
    const known = collected.get(key_id)
    if (known === undefined || known < minute) collected.set(key_id, minute)
  }
  return {
    record,
    async flush() {
      if (collected.size === 0) return
      const writing = collected
      collected = new Map()
      try {
        await writeUses(control, writing)
      } catch (error) {
        for (const [key_id, minute] of writing) record(key_id, minute)
        throw error
      }
    },
  }
}

async function writeUses(control: ControlStore, uses: ReadonlyMap<string, number>): Promise<void> {
  await control.transaction(async (trx) => {
    for (const [key_id, minute] of uses) {
      for (const table of ['site_keys', 'account_tokens', 'source_tokens'] as const) {
        await trx
          .updateTable(table)
          .set({ last_used_at: minute })
          .where('id', '=', key_id)
          .where((is) => is.or([is('last_used_at', 'is', null), is('last_used_at', '<', minute)]))
          .execute()
      }
    }
  })
}

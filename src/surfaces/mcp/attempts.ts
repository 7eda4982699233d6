/** How often one client may do what costs no quota. Kept briefly, in memory of this process only. */
import type { Clock } from '#clock.ts'

export interface Attempts {
  /** Counts an attempt; null when it may go on, else how many seconds the client has to wait. */
  refuse(client: string): number | null
}

/** So many clients are remembered; a newer one then takes the place of the oldest. */
const MAX_CLIENTS = 10_000

interface Limit {
  most: number
  window_ms: number
}

/** Counts by monotonic time, from a client's first attempt on. */
export function countAttempts(clock: Clock, { most, window_ms }: Limit): Attempts {
  const counted = new Map<string, { count: number; ends: number }>()
  return {
    refuse(client) {
      const now = clock.elapsed()
      const known = counted.get(client)
      if (known !== undefined && now < known.ends) {
        if (known.count >= most) return Math.ceil((known.ends - now) / 1_000)
        known.count += 1
        return null
      }
      counted.delete(client)
      counted.set(client, { count: 1, ends: now + window_ms })
      forget(counted, now)
      return null
    },
  }
}

/** In order of their first attempt, so the oldest are in front. */
function forget(counted: Map<string, { ends: number }>, now: number): void {
  for (const [client, { ends }] of counted) {
    if (ends > now && counted.size <= MAX_CLIENTS) return
    counted.delete(client)
  }
}

/** How often one client may try an endpoint that checks secrets (decisions 2). Kept briefly, in memory only. */
import { type Clock, MINUTE_MS } from '#clock.ts'

export interface Attempts {
  /** Counts an attempt; null when it may go on, else how many seconds the client has to wait. */
  refuse(client: string): number | null
}

const TRIES_OF_SECRETS = { most: 20, window_ms: 15 * MINUTE_MS }
/** So many clients are remembered; a newer one then takes the place of the oldest. */
const MAX_CLIENTS = 10_000

/** Counts by monotonic time: by default 20 attempts of a client in 15 minutes from its first. */
export function countAttempts(clock: Clock, { most, window_ms } = TRIES_OF_SECRETS): Attempts {
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

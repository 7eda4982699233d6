/** Step 5: how much one address and one site may send. Token buckets in bounded memory; nothing of them is stored. */
import type { Clock } from '#clock.ts'

export interface Rate {
  /** Events a second. */
  per_second: number
  /** Events at once. */
  burst: number
}

export interface RateLimits {
  address: Rate
  site: Rate
}

export const RATE_LIMITS: RateLimits = {
  address: { per_second: 200, burst: 1_000 },
  site: { per_second: 50_000, burst: 100_000 },
}

/** Takes events from the bucket of a key: 0, or the whole seconds until they are there. Negative numbers give back. */
export type TakeTokens = (key: string, events: number) => number

export interface Buckets {
  take: TakeTokens
  /** Subtracts what was taken elsewhere, also below zero: then nothing can be taken until that has come back. */
  subtract(key: string, events: number): void
}

const MAX_BUCKETS = 50_000

export function openBuckets({ per_second, burst }: Rate, clock: Clock): Buckets {
  const buckets = new Map<string, { tokens: number; at: number }>()
  const filled = (key: string) => {
    const now = clock.elapsed()
    let bucket = buckets.get(key)
    if (bucket === undefined) {
      if (buckets.size >= MAX_BUCKETS) dropOldest(buckets)
      bucket = { tokens: burst, at: now }
      buckets.set(key, bucket)
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1_000) * per_second)
    bucket.at = now
    return bucket
  }
  return {
    take(key, events) {
      const bucket = filled(key)
      if (bucket.tokens < events) return Math.max(1, Math.ceil((events - bucket.tokens) / per_second))
      bucket.tokens -= events
      return 0
    },
    subtract(key, events) {
      filled(key).tokens -= events
    },
  }
}

function dropOldest(buckets: Map<string, unknown>): void {
  for (const key of buckets.keys()) {
    buckets.delete(key)
    return
  }
}

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

/** Buckets that are used, and as many again of before, which wait to be used or forgotten. */
const MAX_RECENT = 25_000

interface Bucket {
  tokens: number
  /** When it was last filled, by the monotonic clock. */
  at: number
}

export function openBuckets({ per_second, burst }: Rate, clock: Clock): Buckets {
  // Two maps instead of one whose oldest key is deleted: V8 keeps deleted keys until the map grows, and finding the
  // first key that is left passes over them each time.
  let recent = new Map<string, Bucket>()
  let earlier = new Map<string, Bucket>()
  const bucketOf = (key: string, now: number): Bucket => {
    const known = recent.get(key)
    if (known !== undefined) return known
    const bucket = earlier.get(key) ?? { tokens: burst, at: now }
    if (recent.size >= MAX_RECENT) {
      earlier = recent
      recent = new Map()
    }
    recent.set(key, bucket)
    return bucket
  }
  const filled = (key: string): Bucket => {
    const now = clock.elapsed()
    const bucket = bucketOf(key, now)
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

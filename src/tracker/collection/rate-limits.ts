/** Step 5: rate limits of one address and one site: token buckets in bounded memory, which are never stored. */
import type { Clock } from '#clock.ts'

export interface Rate {
  /** Events per second. */
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

/** Takes tokens for events from a key's bucket. Returns 0, or the seconds to wait. A negative number returns tokens. */
export type TakeTokens = (key: string, events: number) => number

export interface Buckets {
  take: TakeTokens
  /** Subtracts tokens that other nodes took. Below zero, none can be taken until the bucket has refilled. */
  subtract(key: string, events: number): void
}

/** The most buckets in each of the two maps. */
const MAX_RECENT = 25_000

interface Bucket {
  tokens: number
  /** When it was last refilled, by the monotonic clock. */
  at: number
}

export function openBuckets({ per_second, burst }: Rate, clock: Clock): Buckets {
  // Two generations instead of one map whose oldest key is deleted: V8 keeps deleted keys until the map grows, and each
  // search for the oldest key would skip over them.
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

/** Step 8: when and in which order events were received, over restarts and clocks that are set back (rules 6). */
import { type Clock, instantText } from '#clock.ts'

/** When a request was taken, and the order numbers of its events. */
export interface CollectReceipt {
  /** Epoch milliseconds. */
  at: number
  /** UTC day of receipt. */
  day: string
  /** The instant as rows write it. */
  text: string
  /** Order number of the first event; the others follow it. */
  first: bigint
}

export interface ReceiptOrder {
  take(events: number): CollectReceipt
}

const SHIFT = 20n
const PER_MILLISECOND = 1 << 20
/** A clock that steps back no more than this is waited for; events then share its latest millisecond. */
const SMALL_STEP_MS = 2_000

/** `after`: the highest order number that was ever given. */
export function openReceiptOrder(clock: Clock, after: bigint): ReceiptOrder {
  let last_at = 0
  let day = ''
  let text = ''
  let order_ms = Number(after >> SHIFT) + 1
  let base = BigInt(order_ms) << SHIFT
  let used = 0
  return {
    take(events) {
      const now = clock.now()
      const at = now < last_at && last_at - now <= SMALL_STEP_MS ? last_at : now
      if (at !== last_at) {
        last_at = at
        text = instantText(at).slice(0, -1).replace('T', ' ')
        day = text.slice(0, 10)
      }
      if (at > order_ms || used + events > PER_MILLISECOND) {
        order_ms = Math.max(at, order_ms + 1)
        base = BigInt(order_ms) << SHIFT
        used = 0
      }
      const first = base + BigInt(used)
      used += events
      return { at, day, text, first }
    },
  }
}

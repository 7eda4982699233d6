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
/** The lower half of what lies below the milliseconds, where the upper one is the number of a node (decisions 8.2). */
const COUNTER_BITS = 10
/** A clock that steps back no more than this is waited for; events then share its latest millisecond. */
const SMALL_STEP_MS = 2_000

/** `after`: the highest order number that was ever given; `node`: the number of the node, 0 where there is only one. */
export function openReceiptOrder(clock: Clock, after: bigint, node = 0): ReceiptOrder {
  const per_millisecond = node === 0 ? 1 << Number(SHIFT) : 1 << COUNTER_BITS
  const baseOf = (ms: number) => (BigInt(ms) << SHIFT) + BigInt(node << COUNTER_BITS)
  let last_at = 0
  let day = ''
  let text = ''
  let order_ms = Number(after >> SHIFT) + 1
  let base = baseOf(order_ms)
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
      if (at > order_ms || used + events > per_millisecond) {
        order_ms = Math.max(at, order_ms + 1)
        base = baseOf(order_ms)
        used = 0
      }
      const first = base + BigInt(used)
      used += events
      return { at, day, text, first }
    },
  }
}

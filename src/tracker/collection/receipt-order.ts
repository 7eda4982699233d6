/** Step 8: assigns the time and the order of receipt, also across restarts and when a clock is set back (rules 6). */
import { type Clock, instantText } from '#clock.ts'

/** When a request was accepted, and the order numbers of its events. */
export interface CollectReceipt {
  /** Epoch milliseconds. */
  at: number
  /** UTC day of receipt. */
  day: string
  /** The instant as it is written in rows. */
  text: string
  /** Order number of the first event; the others follow it. */
  first: bigint
}

export interface ReceiptOrder {
  take(events: number): CollectReceipt
}

const SHIFT = 20n
/**
 * Below the milliseconds are 20 bits: with several nodes, 10 of the node's number and 10 of a counter (decisions 8.2).
 */
const COUNTER_BITS = 10
/** After a smaller step back of the clock, events keep the latest millisecond until the clock has caught up. */
const SMALL_STEP_MS = 2_000

/** `after`: the highest order number assigned before; `node`: the number of the node, 0 for a single service. */
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

/** Step 8: the time of receipt of a visitor's request, and its visitor of that day (rules 6). */
import type { CollectReceipt, ReceiptOrder } from './receipt-order.ts'
import type { BrowserRequest } from './receive-events.ts'
import type { TrackerSite } from './tracker-key-lookup.ts'
import { type Visitors, visitorOf } from './visitor-salts.ts'

interface VisitParts {
  order: ReceiptOrder
  visitors: Visitors
}

type Client = Pick<BrowserRequest, 'address' | 'user_agent'>
type VisitedSite = Pick<TrackerSite, 'site_id' | 'is_development'>

/** Awaits a read of a store, and turns its failure into a refusal for the sender. */
export type Loading = <T>(work: Promise<T>) => Promise<T>

/** When a visitor's request was received, and the visitor's hash of that day. */
interface Visit {
  receipt: CollectReceipt
  visitor: string
}

/** Loads the salt of the day first, again if the day changes meanwhile. @throws what `loading` throws. */
export async function takeVisit(
  parts: VisitParts,
  request: Client,
  site: VisitedSite,
  events: number,
  loading: Loading,
): Promise<Visit> {
  // No await may be between receipt and spool, because readers rely on knowing all events that were received earlier.
  for (;;) {
    const receipt = parts.order.take(events)
    const visit = visitAt(parts, request, site, receipt)
    if (visit !== null) return visit
    await loading(parts.visitors.load(receipt.day))
  }
}

/** The visit of a request that was just received; null if the salt of the day is not loaded. */
export function visitAt(
  { visitors }: VisitParts,
  { address, user_agent }: Client,
  { site_id, is_development }: VisitedSite,
  receipt: CollectReceipt,
): Visit | null {
  const salt = visitors.peek(receipt.day)
  if (salt === undefined) return null
  // The same browser must be different visitors on the site and on a development origin.
  const of = is_development ? `${site_id} development` : site_id
  return { receipt, visitor: visitorOf(salt, of, address, user_agent) }
}

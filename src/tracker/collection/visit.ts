/** Step 8 of a visitor's request: when it was received, and who its visitor is on that day (rules 6). */

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

/** Waits for a store, and turns its failure into a refusal for the sender. */
export type Loading = <T>(work: Promise<T>) => Promise<T>

/** When a visitor's request was received, and the visitor's hash of that day. */
interface Visit {
  receipt: CollectReceipt
  visitor: string
}

/** Loads the salt of the day first, however often the day changes meanwhile. @throws what `loading` throws. */
export async function takeVisit(
  parts: VisitParts,
  request: Client,
  site: VisitedSite,
  events: number,
  loading: Loading,
): Promise<Visit> {
  // No await may be between receipt and spool: readers rely on knowing everything that was received earlier.
  for (;;) {
    const receipt = parts.order.take(events)
    const visit = visitAt(parts, request, site, receipt)
    if (visit !== null) return visit
    await loading(parts.visitors.load(receipt.day))
  }
}

/** The visit of a request that was just received. Null while the salt of the day is not at hand. */
export function visitAt(
  { visitors }: VisitParts,
  { address, user_agent }: Client,
  { site_id, is_development }: VisitedSite,
  receipt: CollectReceipt,
): Visit | null {
  const salt = visitors.peek(receipt.day)
  if (salt === undefined) return null
  // The same browser must not be one visitor on the site and on a development origin.
  const of = is_development ? `${site_id} development` : site_id
  return { receipt, visitor: visitorOf(salt, of, address, user_agent) }
}

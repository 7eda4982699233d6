/** Step 1: splits the body of a request into events, which are not checked yet (rules 6). */
import { isUtf8 } from 'node:buffer'
import { CollectRefusal } from './collect-refusal.ts'

/** The largest accepted body. */
export const MAX_BODY_BYTES = 64 * 1024
/** The most events of one request (rules 6). */
export const MAX_EVENTS = 20

/** A JSON object as it was sent. */
export type EventInput = Readonly<Record<string, unknown>>

/** The items of a request, 1 to 20; `readEvent` refuses what is not an object. @throws CollectRefusal malformed. */
export function readEventBody(body: Buffer): unknown[] {
  if (body.length === 0) throw malformed('The body is empty; send one event, or an array of 1 to 20.')
  if (!isUtf8(body)) throw malformed('The body is not UTF-8.')
  const value = parse(body.toString('utf8'))
  const items = Array.isArray(value) ? value : [value]
  if (items.length === 0) throw malformed('The array is empty; send 1 to 20 events.')
  if (items.length > MAX_EVENTS) {
    throw malformed(`The array has ${items.length} events; send at most ${MAX_EVENTS} in one request.`)
  }
  if (!items.some(isJsonObject)) throw malformed('An event is a JSON object; send one, or an array of 1 to 20.')
  return items
}

/** The public key of a request: that of its first event. @throws CollectRefusal unauthenticated. */
export function readSiteKey(items: readonly unknown[]): string {
  for (const item of items) {
    if (isJsonObject(item) && typeof item.site === 'string') return item.site
  }
  throw new CollectRefusal(
    'unauthenticated',
    'site_key_missing',
    'No event carries "site"; send the site\'s public key (spoor_pub_…) with each event.',
  )
}

/** Refuses revenue without an id, because a retry could not be recognised. @throws CollectRefusal malformed. */
export function refuseUnnamedRevenue(items: readonly unknown[]): void {
  const index = items.findIndex((item) => isJsonObject(item) && item.type === 'revenue' && item.id == null)
  if (index === -1) return
  throw new CollectRefusal(
    'malformed',
    'missing_id',
    `Event ${index} reports revenue without an id, and nothing of the request was taken; give each sale and refund an id of its own, the same when it is sent again.`,
  )
}

export function isJsonObject(value: unknown): value is EventInput {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('The body is not JSON; send one event, or an array of 1 to 20.')
  }
}

const malformed = (message: string) => new CollectRefusal('malformed', 'malformed_body', message)

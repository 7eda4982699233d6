/** Step 9: writes an event as a line of `events`, with its columns in the order of INSERT_COLUMNS. */
import type { ReadEvent } from './read-event.ts'
import type { CollectReceipt } from './receipt-order.ts'

export type Stream = 'browser' | 'server' | 'bot' | 'development'

/** The values that all events of a request share. */
export interface EventFrame {
  site_id: string
  stream: Stream
  receipt: CollectReceipt
  /** Decimal; `0` without one. */
  visitor: string
}

/** The line of an event, with its line end. `place` is the index of the event in its request. */
export function eventRow({ site_id, stream, receipt, visitor }: EventFrame, event: ReadEvent, place: number): string {
  const { page, revenue } = event
  const seq = place === 0 ? receipt.first : receipt.first + BigInt(place)
  const money =
    revenue === null ? '"none",0,""' : `"${revenue.kind}",${revenue.amount_minor},${JSON.stringify(revenue.currency)}`
  return (
    `["${site_id}","${receipt.day}","${stream}","${event.id}","${receipt.text}",${seq},${receipt.first},${visitor},` +
    `"${event.kind}",${JSON.stringify(event.name)},${page.place},${JSON.stringify(event.referrer_host)},` +
    `${page.has_click_id},${page.utm},${event.props},${money},"${event.order_key}"]\n`
  )
}

/** The columns that identify a stored line. */
export interface RowKey {
  site_id: string
  day: string
  stream: Stream
  id: string
}

/** TRICKY: splits at quotes instead of parsing the line, because the first four columns never contain a quote. */
export function keyOfRow(line: string): RowKey {
  const parts = line.split('"', 8)
  return { site_id: parts[1], day: parts[3], stream: parts[5], id: parts[7] } as RowKey
}

/** When a stored line was received, epoch milliseconds, from the text of its column. */
export const parseReceivedAt = (received_at: string): number => Date.parse(`${received_at.replace(' ', 'T')}Z`)

/** When a stored line was received, epoch milliseconds. */
export const receivedMsOfRow = (line: string): number => parseReceivedAt(line.split('"', 10)[9] as string)

/** The order number of a stored line. */
export function seqOfRow(line: string): bigint {
  const [, seq] = (line.split('"', 11)[10] as string).split(',', 2)
  return BigInt(seq as string)
}

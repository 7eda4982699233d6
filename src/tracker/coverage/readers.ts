/** The eight readers of tracker evidence, and what each does when that evidence cannot be read (rules 6). */
import type { GateName } from '#sites/gates.ts'

export const READERS = [
  'overview',
  'sources',
  'pages',
  'conversions',
  'funnels',
  'funnel',
  'journeys',
  'revenue',
] as const
/** Events by name have no gate of their own: they are the overview's. */
export type Reader = (typeof READERS)[number] | 'events'

/** The gate that switches a reader of a site; on unless its owner closed it. */
export const gateOf = (reader: Reader): GateName => `analytics_${reader === 'events' ? 'overview' : reader}_reader`

const STRICT: ReadonlySet<Reader> = new Set<Reader>(['funnels', 'funnel', 'journeys', 'revenue'])

/** Whether it answers 503 when the evidence store fails; the others are unavailable with nulls (spec 4.2, rules 6). */
export const isStrict = (reader: Reader): boolean => STRICT.has(reader)

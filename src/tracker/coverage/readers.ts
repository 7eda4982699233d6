/** The eight readers of tracker evidence, and what each answers if the evidence store fails (rules 6). */
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
/** The reader `events` has no gate of its own: the gate of the overview applies. */
export type GatedReader = (typeof READERS)[number] | 'events'
/** The days of the tracker alone stand beside the numbers of every other reader, and no gate switches them off. */
export type Reader = GatedReader | 'coverage'

export const isGated = (reader: Reader): reader is GatedReader => reader !== 'coverage'

/** The gate of a reader. It is open unless the site's owner closed it. */
export const gateOf = (reader: GatedReader): GateName => `analytics_${reader === 'events' ? 'overview' : reader}_reader`

const STRICT: ReadonlySet<Reader> = new Set<Reader>(['funnels', 'funnel', 'journeys', 'revenue'])

/** Whether the reader answers 503 if the evidence store fails. Others answer `unavailable` (spec 4.2, rules 6). */
export const isStrict = (reader: Reader): boolean => STRICT.has(reader)

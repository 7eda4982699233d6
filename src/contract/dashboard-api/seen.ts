/** What was observed of a site, to pick from where definitions are built (decisions 7.4). */
import Type from 'typebox'
import { Count, Day, Instant, ObservedCount, oneOf, orNull } from '../fields.ts'
import { site } from '../management-api/define.ts'
import type { InputOf, OutputOf } from '../operation.ts'
import { limit, window } from '../parameters.ts'
import { SCALAR_KINDS } from '../vocabulary.ts'
import { readOfSite } from './define.ts'

/** Null: no browser proves a day of the window, or no source covers the host of the page, so that nothing is known. */
const counts = { pageviews: orNull(Count), crawler_requests: orNull(Count) }
const truncated = Type.Boolean({ description: 'More rows match than are listed.' })
const withheld_count = orNull(Count, 'Rows that are left out because too few visitors sent them.')

export const getSeen = readOfSite('getSeen', 'Hosts, pages, events and properties that were observed, the most first', {
  input: Type.Object({
    site,
    window,
    search: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Part of a name, in either case; left out: all.' }),
    ),
    limit: limit({ maximum: 200, default: 50, description: 'Most rows of each list.' }),
  }),
  output: Type.Object({
    as_of: Instant,
    window: Type.Object({ from: Day, to: Day }),
    search: orNull(Type.String()),
    limit: Count,
    privacy_floor: Count,
    hosts: Type.Object({ truncated, rows: Type.Array(Type.Object({ host: Type.String(), ...counts })) }),
    pages: Type.Object({
      truncated,
      rows: Type.Array(Type.Object({ host: Type.String(), path: Type.String(), ...counts })),
    }),
    events: Type.Object({
      truncated,
      withheld_count,
      rows: Type.Array(Type.Object({ name: Type.String(), events: ObservedCount })),
    }),
    properties: Type.Object({
      truncated,
      withheld_count,
      rows: Type.Array(
        Type.Object({
          event_name: Type.String(),
          key: Type.String(),
          events: ObservedCount,
          /** Null: it is not declared. */
          scalar_kind: orNull(oneOf(SCALAR_KINDS)),
        }),
      ),
    }),
  }),
})
export type Seen = OutputOf<typeof getSeen>
export type SeenInput = InputOf<typeof getSeen>

export const seenReads = [getSeen] as const

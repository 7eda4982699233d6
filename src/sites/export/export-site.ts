/** All evidence and definitions of a site as lines of JSON (decisions 7.7). */
import { type Clock, instantText } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import type { Row } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { version } from '#version.ts'
import type { Site } from '../site.ts'
import { controlRecords } from './control-records.ts'
import { type DayPart, type Exported, storedDays, storedEvents, storedRequests } from './evidence.sql.ts'

export const EXPORT_FORM = 'spoor-export/1'

interface Context {
  control: ControlStore
  evidence: EvidenceStore
  clock: Clock
}

/** A day with more rows is read in parts of about as many. */
const ROWS_AT_ONCE = 10_000

/**
 * The lines, each ended by a line feed. The first says what this is, the last how many records of each kind there are,
 * so that an export that broke off is known by its missing end.
 */
export async function* exportSite(ctx: Context, { id, root_domain }: Pick<Site, 'id' | 'root_domain'>) {
  const exported: Exported = { site_id: id, as_of: ctx.clock.now() }
  const counts: Record<string, number> = {}
  const line = (record: string, fields: object) => {
    const before = counts[record]
    counts[record] = before === undefined ? 1 : before + 1
    return written(record, fields)
  }
  const form = { form: EXPORT_FORM, spoor_version: version, as_of: instantText(exported.as_of) }
  yield written('export', { ...form, site: { id, root_domain } })
  for await (const { record, fields } of controlRecords(ctx.control, id)) yield line(record, fields)
  for await (const part of partsOf(ctx, 'requests', exported)) {
    for (const row of await ctx.evidence.all(storedRequests(exported, part))) yield line('requests', requestOf(row))
  }
  for await (const part of partsOf(ctx, 'events', exported)) {
    for (const row of await ctx.evidence.all(storedEvents(exported, part))) yield line('events', eventOf(row))
  }
  yield written('end', { counts })
}

const written = (record: string, fields: object): string => `${JSON.stringify({ record, ...fields })}\n`

async function* partsOf(ctx: Context, table: 'requests' | 'events', exported: Exported): AsyncGenerator<DayPart> {
  for (const { day, stored } of await ctx.evidence.all(storedDays(table, exported))) {
    const of = Math.ceil(stored / ROWS_AT_ONCE)
    for (let index = 0; index < of; index++) yield { day, index, of }
  }
}

const requestOf = ({ at_ms, received_ms, status, status_raw, ...row }: Row<ReturnType<typeof storedRequests>>) => ({
  at: instantText(at_ms),
  ...row,
  status: status === 0 ? null : status,
  status_raw: status_raw === 0 ? null : status_raw,
  received_at: instantText(received_ms),
})

const eventOf = ({ received_ms, order_key, ...row }: Row<ReturnType<typeof storedEvents>>) => ({
  received_at: instantText(received_ms),
  ...row,
  order_key: order_key === '0' ? null : order_key,
})

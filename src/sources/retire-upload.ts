/** Ends an unnamed upload beside named servers, alone or by moving it to a named server (rules 3, Uploads). */
import { randomUUID } from 'node:crypto'
import { MINUTE_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { SourceRow } from '#control/tables.ts'
import { intersection, type TimeRange, union } from '#days/intervals.ts'
import { utcDay } from '#days/utc-day.ts'
import { Refusal } from '#refusal.ts'
import { disconnectSource } from './disconnect-source.ts'
import { findSource } from './find-source.ts'
import { checkServerName } from './server-name.ts'

/** Consecutive files may both cover the minute between them. */
const MAX_SHARED_MS = MINUTE_MS

/**
 * Ends the unnamed upload of a site. Without a server, further imports are refused, its coverage counts on days for
 * which no named server has better coverage, and no day expects it. With a server, which is created if it is new, its
 * days become those of the server, and repeated imports under that name recognise its lines. Reconnecting the upload
 * reverts both. Call it between imports.
 * @throws Refusal not_found, conflict, invalid_input.
 */
export async function retireUpload(
  ctx: ControlContext,
  { source: text, into }: { source: string; into?: string },
): Promise<SourceRow> {
  const name = into ?? null
  if (name !== null) checkServerName(name, '--into')
  const upload = await ctx.control.snapshot((trx) => findSource(trx, text))
  if (upload.source_type !== 'log_upload' || upload.name !== '') {
    throw new Refusal(
      'conflict',
      `Only the unnamed upload of a site is retired; this source is ${`${upload.source_type} ${upload.name}`.trim()}. Disconnect it instead: {next}`,
      { next: { step: 'source.disconnect', source_id: upload.id } },
    )
  }
  if (name === null) return disconnectSource(ctx, upload.id)
  return ctx.control.transaction((trx) => moveUpload(trx, upload.id, name))
}

async function moveUpload(trx: ControlTransaction, upload_id: string, name: string): Promise<SourceRow> {
  const upload = await trx.selectFrom('sources').selectAll().where('id', '=', upload_id).executeTakeFirstOrThrow()
  const server = await namedServer(trx, upload, name)
  if (upload.moved_to === server.id) return upload
  await refuseOverlap(trx, upload, server)
  const through = [upload.data_through, server.data_through].filter((at) => at !== null)
  const connected = [upload.connected_at, server.connected_at].filter((at) => at !== null)
  // A server without evidence of its own takes over whether the upload is primary.
  const { is_primary } = server.connected_at === null ? upload : server
  await trx
    .updateTable('sources')
    .set({
      is_primary,
      data_through: through.length === 0 ? null : Math.max(...through),
      connected_at: connected.length === 0 ? null : Math.min(...connected),
      has_statuses: upload.has_statuses === 1 ? 1 : server.has_statuses,
    })
    .where('id', '=', server.id)
    .execute()
  return trx
    .updateTable('sources')
    .set({ moved_to: server.id, is_primary })
    .where('id', '=', upload.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function namedServer(trx: ControlTransaction, upload: SourceRow, name: string): Promise<SourceRow> {
  const known = await trx
    .selectFrom('sources')
    .selectAll()
    .where((is) => is.and({ site_id: upload.site_id, source_type: 'log_upload', name }))
    .executeTakeFirst()
  if (known?.connection_status === 'disconnected') {
    throw new Refusal(
      'conflict',
      `The server ${name} is disconnected: reconnect it first ({next}), or choose another.`,
      { next: { step: 'source.reconnect', source_id: known.id } },
    )
  }
  if (known !== undefined) return known
  // If the upload was retired before, that does not apply to the server.
  const connection_status = upload.connection_status === 'disconnected' ? 'live' : upload.connection_status
  const made: SourceRow = { ...upload, id: randomUUID(), name, connection_status, data_through: null, moved_to: null }
  await trx.insertInto('sources').values(made).execute()
  return made
}

/** Refuses overlapping coverage, in which lines of both would count twice. @throws Refusal conflict. */
async function refuseOverlap(trx: ControlTransaction, upload: SourceRow, server: SourceRow): Promise<void> {
  const both = intersection(await coveredBy(trx, upload.id), await coveredBy(trx, server.id))
  const shared = both.find(({ from, to }) => to - from > MAX_SHARED_MS)
  if (shared === undefined) return
  throw new Refusal(
    'conflict',
    `The unnamed upload and the server ${server.name} both cover ${utcDay(shared.from)}, where the same lines would count twice. Retire the unnamed upload without a server instead: {next}`,
    { next: { step: 'source.retire', source_id: upload.id } },
  )
}

async function coveredBy(trx: ControlTransaction, source_id: string): Promise<TimeRange[]> {
  const rows = await trx
    .selectFrom('coverage_intervals')
    .select(['from_at as from', 'to_at as to'])
    .where((is) => is.and({ source_id, is_declared: 0 }))
    .execute()
  return union(rows)
}

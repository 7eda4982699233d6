/** The sources of log uploads, one for each named server of a site and one without a name (rules 3). */
import { randomUUID } from 'node:crypto'
import type { SourceRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { union } from '#days/intervals.ts'
import { Refusal } from '#refusal.ts'
import { newSource } from '#sources/new-source.ts'
import type { MovedPart } from './line-identity.ts'

/**
 * The source of one server, by default the unnamed one; a new one is stored with its first import.
 * @throws Refusal conflict: the owner has disconnected or moved the source.
 */
export async function resolveUploadSource(ctx: CrawlerContext, siteId: string, server = ''): Promise<SourceRow> {
  const source = await findOrCreate(ctx, siteId, server)
  refuseEnded(source)
  return source
}

/** Uploads that were moved to this server: lines of their time keep their identity, so that repeats are recognized. */
export async function movedUploads({ control }: CrawlerContext, { id }: SourceRow): Promise<MovedPart[]> {
  const parts = await control.db.selectFrom('sources').select(['id', 'name']).where('moved_to', '=', id).execute()
  return Promise.all(
    parts.map(async (part) => {
      const covered = await control.db
        .selectFrom('coverage_intervals')
        .select(['from_at as from', 'to_at as to'])
        .where('source_id', '=', part.id)
        .execute()
      return { source_id: part.id, server: part.name, ranges: union(covered) }
    }),
  )
}

async function findOrCreate(ctx: CrawlerContext, siteId: string, server: string): Promise<SourceRow> {
  const known = await ctx.control.db
    .selectFrom('sources')
    .selectAll()
    .where((is) => is.and({ site_id: siteId, source_type: 'log_upload', name: server }))
    .executeTakeFirst()
  if (known !== undefined) return known
  return newSource({
    id: randomUUID(),
    site_id: siteId,
    source_type: 'log_upload',
    name: server,
    connection_status: 'live',
    created_at: ctx.clock.now(),
  })
}

function refuseEnded({ id, connection_status, moved_to }: SourceRow): void {
  if (moved_to !== null) {
    throw new Refusal(
      'conflict',
      `The unnamed server's days were moved to a named server, so nothing was stored. Import with --server NAME, or reconnect the unnamed server first: {next}`,
      { next: { step: 'source.reconnect', source_id: id } },
    )
  }
  if (connection_status !== 'disconnected') return
  throw new Refusal(
    'conflict',
    `The owner has disconnected this source of uploads, so nothing was stored. Reconnect it first: {next}`,
    { next: { step: 'source.reconnect', source_id: id } },
  )
}

import type { ControlDb } from '#control/store.ts'
import type { Warning } from './receipt.ts'

/** Warns of an unnamed upload of a site whose other uploads name their server (rules 3, Uploads). */
export async function unnamedUploadWarning(db: ControlDb, site_id: string, label: string): Promise<Warning[]> {
  const uploads = await db
    .selectFrom('sources')
    .selectAll()
    .where((is) => is.and({ site_id, source_type: 'log_upload' }))
    .where('connected_at', 'is not', null)
    .where('connection_status', '!=', 'disconnected')
    .orderBy('name')
    .execute()
  const unnamed = uploads.find((source) => source.name === '' && source.moved_to === null)
  const [named] = uploads.filter((source) => source.name !== '')
  if (unnamed === undefined || named === undefined) return []
  return [
    {
      code: 'unnamed_beside_named',
      message: `${label}: the site has logs of named servers (${named.name}) and logs without a server name. The unnamed ones count as a server of their own, expected from their first to their last day; a line imported under both counts twice. {next}`,
      next: { step: 'end_unnamed_upload', source_id: unnamed.id, server: named.name },
    },
  ]
}

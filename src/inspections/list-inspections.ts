/** Lists inspections with a summary of their result; the control store has the whole result (rules 8.3). */
import { instantOrNull, instantText } from '#clock.ts'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import type { ControlStore } from '#control/store.ts'
import { resultOf } from './queue.ts'

/** The inspections of a site, newest first. */
export async function listInspections(
  { control, site }: { control: ControlStore; site: { id: string } },
  { limit }: { limit: number },
): Promise<ManagementOutput<'inspection.list'>> {
  const rows = await control.db
    .selectFrom('inspections')
    .selectAll()
    .where('site_id', '=', site.id)
    .orderBy('queued_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return {
    inspections: rows.map((row) => {
      const { id, kind, reason, host, path, crawler_id, issue_id, state, obstacle, reproduced } = row
      const result = resultOf(row)
      return {
        id,
        kind,
        reason,
        host,
        path,
        crawler_id,
        issue_id,
        state,
        obstacle,
        reproduced,
        queued_at: instantText(row.queued_at),
        ended_at: instantOrNull(row.ended_at),
        is_clean: row.is_clean === null ? null : row.is_clean === 1,
        final_status: (result?.as_crawler ?? result?.as_ourselves)?.final_status ?? null,
      }
    }),
  }
}

import type { ControlDb } from '#control/store.ts'
import type { IssueRow } from '#control/tables.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'

/** An issue of a site, listed or ended. @throws Refusal not_found, also for one of another site. */
export async function findIssue(db: ControlDb, site_id: string, id: string): Promise<IssueRow> {
  const row = await db
    .selectFrom('issues')
    .selectAll()
    .where((is) => is.and({ site_id, id: id.toLowerCase() }))
    .executeTakeFirst()
  if (row === undefined) {
    throw new Refusal('not_found', `The site has no issue with the id ${quoted(id)}: {next} lists them.`, {
      next: { step: 'issue.list' },
    })
  }
  return row
}

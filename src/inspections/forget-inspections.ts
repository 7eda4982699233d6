/** Deletes inspections without an issue, access checks and snapshots of robots.txt after 400 days (rules 8.3). */

import { sql } from 'kysely'
import { DAY_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'

const MAX_AGE_MS = 400 * DAY_MS

/** An inspection as the evidence of an issue names it. */
const REF = sql<string>`'{"kind":"inspection","id":"' || id || '"}'`

/** Inspections of issues, and those that are evidence of issues, are kept as long as their issue. */
export async function forgetOldInspections({ control, clock }: ControlContext): Promise<void> {
  const before = clock.now() - MAX_AGE_MS
  await control.transaction(async (tx) => {
    await tx
      .deleteFrom('inspections')
      .where('issue_id', 'is', null)
      .where('queued_at', '<', before)
      .where(REF, 'not in', ({ selectFrom }) => selectFrom('issue_evidence').select('ref'))
      .where('id', 'not in', ({ selectFrom }) =>
        selectFrom('issue_changes')
          .select('inspection_id')
          .where('inspection_id', 'is not', null)
          .$castTo<{ inspection_id: string }>(),
      )
      .execute()
    await tx.deleteFrom('access_checks').where('checked_at', '<', before).execute()
    await tx.deleteFrom('robots_snapshots').where('last_fetched_at', '<', before).execute()
    await tx
      .deleteFrom('robots_bodies')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('robots_snapshots as snapshot')
              .select('snapshot.id')
              .whereRef('snapshot.site_id', '=', 'robots_bodies.site_id')
              .whereRef('snapshot.sha256', '=', 'robots_bodies.sha256'),
          ),
        ),
      )
      .execute()
  })
}

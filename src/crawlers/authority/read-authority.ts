/** The current assignments and interruptions of a site (decisions 3.8). */
import type { ControlDb } from '#control/store.ts'
import type { AuthorityInterruptionRow, ContractRevisionRow } from '#control/tables.ts'
import { assignedInterruptions } from './disconnect-interruptions.ts'

/** A revision that counts its host from a day on, until the next assignment of that host. */
export interface Assignment {
  hostname: string
  /** `YYYY-MM-DD`, UTC. */
  effective_day: string
  assigned_at: number
  revision: ContractRevisionRow
}

export interface Authority {
  /** By hostname, then effective day; superseded ones are left out. */
  assignments: Assignment[]
  interruptions: AuthorityInterruptionRow[]
}

/** Call it in a snapshot or a transaction. */
export async function readAuthority(db: ControlDb, site_id: string): Promise<Authority> {
  const revisions = await db.selectFrom('contract_revisions').selectAll().where('site_id', '=', site_id).execute()
  const byId = new Map(revisions.map((revision) => [revision.id, revision]))
  const rows = await db
    .selectFrom('authority_assignments')
    .selectAll()
    .where('site_id', '=', site_id)
    .where('superseded_at', 'is', null)
    .orderBy('hostname')
    .orderBy('effective_day')
    .execute()
  return {
    assignments: rows.map(({ hostname, effective_day, assigned_at, revision_id }) => ({
      hostname,
      effective_day,
      assigned_at,
      revision: byId.get(revision_id) as ContractRevisionRow,
    })),
    interruptions: await assignedInterruptions(db)
      .where('site_id', '=', site_id)
      .orderBy('disconnected_at')
      .orderBy('id')
      .execute(),
  }
}

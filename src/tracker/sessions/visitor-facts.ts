/** Deletes the events of days after the retention: builds are retired first, and events are deleted minutes later. */
import type { ControlTransaction } from '#control/store.ts'
import { retire, retireBuilds } from '#derived/builds.ts'
import type { Retirable } from '#derived/derivation.ts'
import { deletePagesWithoutFacts } from '#evidence/page-names.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { deleteEvents } from './session-sums.sql.ts'

interface RetiredDay {
  site_id: string
  day: string
  /** Epoch milliseconds. */
  retired_at: number
}

/** Retires everything that was derived from a day's visitor events. */
export async function retireVisitorBuilds(tx: ControlTransaction, retired: RetiredDay): Promise<void> {
  await retireBuilds(tx, { kind: 'sessions', ...retired })
  await retireBuilds(tx, { kind: 'definitions', ...retired })
}

/** Retires the visitor events of a day, and everything that was derived from them. */
export async function retireVisitorDay(tx: ControlTransaction, retired: RetiredDay): Promise<void> {
  await retireVisitorBuilds(tx, retired)
  await retire(tx, [{ ...retired, kind: 'visitor_facts', part: '', build: 0, delivery_id: '' }])
}

interface VisitorFactsContext {
  evidence: EvidenceStore
  intake: { duringImport<T>(work: () => Promise<T>): Promise<T> }
}

export const visitorFacts = ({ evidence, intake }: VisitorFactsContext): Retirable => ({
  kind: 'visitor_facts',
  async deleteRows(retired) {
    const deleteOf = async (site_id: string, days: string[]) => {
      await evidence.run(deleteEvents(site_id, days))
      await deletePagesWithoutFacts(evidence, site_id)
    }
    for (const [site_id, rows] of Map.groupBy(retired, (row) => row.site_id)) {
      const days = rows.map(({ day }) => day)
      await intake.duringImport(() => evidence.writeLock.run(() => deleteOf(site_id, days)))
    }
  },
})

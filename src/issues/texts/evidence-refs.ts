/** The `evidence_refs` of an issue: counts of its harmful statuses, and inspections (rules 8.1, Evidence). */
import type { EvidenceRef } from '#contract/site-api/issues.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { PageOutcome } from '../evidence/page-outcomes.sql.ts'
import { totalRequests } from '../harms.ts'

/** The parts that all references of an issue share; `window` is `YYYY-MM-DD/YYYY-MM-DD`. */
interface RefSubject {
  is_gate_open: boolean
  host: string
  path_key: string
  window: string
}

/** One reference for each status of harmful outcomes, ascending. */
export function refsByStatus(
  { is_gate_open, host, path_key, window }: RefSubject,
  harmful: readonly PageOutcome[],
): EvidenceRef[] {
  const kind = is_gate_open ? 'crawler_rollup_daily_v2' : 'rollup_daily'
  const byStatus = [...Map.groupBy(harmful, ({ status }) => status)].sort(([a], [b]) => a - b)
  return byStatus.map(([status, ones]) => ({ kind, host, path_key, status, window, count: totalRequests(ones) }))
}

/** Adds references to an issue; existing ones never change. */
export async function addEvidence(
  tx: ControlTransaction,
  issue_id: string,
  refs: readonly EvidenceRef[],
): Promise<void> {
  const last = await tx
    .selectFrom('issue_evidence')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('issue_id', '=', issue_id)
    .executeTakeFirstOrThrow()
  const first = Number(last.count)
  const rows = refs.map((ref, index) => ({ issue_id, position: first + index, ref: JSON.stringify(ref) }))
  if (rows.length > 0) await tx.insertInto('issue_evidence').values(rows).execute()
}

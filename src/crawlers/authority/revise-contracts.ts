import type { ControlTransaction } from '#control/store.ts'
import type { JoinableRange } from '#crawlers/coverage/join-covered-time.ts'
import { utcDay } from '#days/utc-day.ts'
import { lowestSampling, namesPages } from '#sources/fidelity.ts'
import { EVERY_HOST, isWildcard, isWithin } from '../coverage/wildcard-hosts.ts'
import { storeAssignment, supersede } from './assign-hosts.ts'
import { intervalsOfHost, pathFidelity, revisionFor } from './contract-revision.ts'

interface RecordedCoverage {
  site_id: string
  source_id: string
  host: string
  ranges: readonly JoinableRange[]
}

/**
 * Assigns hosts to a new revision if new evidence shows that their source delivers something else than the current one
 * promises (it samples, statuses appear, or a zone's plan gives paths or refuses them), from the day of that evidence
 * on. The lowest sampling only falls and statuses only appear, also while days are written again or expire, so that
 * assignments cannot alternate.
 */
export async function reviseContracts(tx: ControlTransaction, recorded: RecordedCoverage): Promise<void> {
  const { site_id, source_id, ranges } = recorded
  const current = await currentAssignments(tx, recorded)
  if (current.length === 0 || ranges.length === 0) return
  const source = await tx.selectFrom('sources').selectAll().where('id', '=', source_id).executeTakeFirstOrThrow()
  const covered = await tx
    .selectFrom('coverage_intervals')
    .select(['host', 'sampling'])
    .distinct()
    .where('source_id', '=', source_id)
    .execute()
  const zones = await tx
    .selectFrom('zones')
    .select(['source_id', 'refused_fields'])
    .where('source_id', '=', source_id)
    .execute()
  const path_fidelity = pathFidelity(
    source,
    zones.map((zone) => ({ ...zone, names_pages: namesPages(zone.refused_fields) })),
  )
  const firstDay = utcDay(ranges.reduce((first, { from }) => Math.min(first, from), Number.POSITIVE_INFINITY))
  const noticed_at = ranges.reduce((last, { to }) => Math.max(last, to), 0)
  for (const { hostname, effective_day, revision_id, sampling } of current) {
    const lowest = lowestSampling([...intervalsOfHost(hostname, covered), { sampling }])
    const promised = revisionFor(source, hostname, { sampling: lowest, path_fidelity })
    if (promised.id === revision_id) continue
    const from = [firstDay, effective_day].sort().at(-1) as string
    await supersede(tx, { site_id, hostname, from }, noticed_at)
    await storeAssignment(tx, promised, from, noticed_at)
  }
}

/** The last assignments of the recorded hosts that are to the source of the evidence. */
async function currentAssignments(tx: ControlTransaction, { site_id, source_id, host }: RecordedCoverage) {
  const all = tx
    .selectFrom('authority_assignments as assigned')
    .innerJoin('contract_revisions as revision', 'revision.id', 'assigned.revision_id')
    .select(['assigned.hostname', 'assigned.effective_day', 'assigned.revision_id'])
    .select(['revision.source_id', 'revision.sampling'])
    .where('assigned.site_id', '=', site_id)
    .where('assigned.superseded_at', 'is', null)
    .orderBy('assigned.effective_day')
  const isOne = host !== EVERY_HOST && !isWildcard(host)
  const rows = await (isOne ? all.where('assigned.hostname', '=', host) : all).execute()
  const held = rows.filter(({ hostname }) => !isWildcard(host) || isWithin(hostname, host))
  const last = new Map(held.map((row) => [row.hostname, row]))
  return [...last.values()].filter((row) => row.source_id === source_id)
}

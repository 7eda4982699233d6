/** Opening the authority gate assigns each host to its counting source from its first covered day (rules 5). */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import Type from 'typebox'
import type { ControlDb } from '#control/store.ts'
import type { SourceRow } from '#control/tables.ts'
import { rows, uuid } from '#evidence/sql.ts'
import { Refusal } from '#refusal.ts'
import { isGateOpen, setGate } from '#sites/gates.ts'
import { lowestSampling, namesPages, statusFidelity } from '#sources/fidelity.ts'
import type { SiteContext } from '../context.ts'
import { readCoverageEvidence } from '../coverage/site-coverage.ts'
import { EVERY_HOST, isWildcard } from '../coverage/wildcard-hosts.ts'
import { type PlannedAssignment, storeAssignments } from './assign-hosts.ts'
import { intervalsOfHost, pathFidelity, revisionFor } from './contract-revision.ts'
import { openChains } from './counting-chain.ts'
import { type Assignment, readAuthority } from './read-authority.ts'

/** Opens the gate and returns the new assignments; hosts that were assigned before keep theirs. */
export async function openAuthority(ctx: SiteContext): Promise<Assignment[]> {
  // Hosts that appear between the two reads are listed as unknown, and the owner assigns them.
  const seen = await ctx.evidence.all(hostsWithEvidence(ctx.site.id))
  const gate = { site_id: ctx.site.id, name: 'crawler_authority_v2', is_open: true } as const
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const plan = await planAssignments(
      ctx,
      seen.map((row) => row.host),
    )
    const made = await ctx.control.transaction(async (tx) => {
      if (await isGateOpen(tx, ctx.site.id, gate.name)) return []
      if ((await basisOf(tx, ctx.site.id)) !== plan.basis) return null
      const stored = await storeAssignments(tx, plan.assignments, ctx.clock.now())
      await setGate(tx, ctx, gate)
      return stored
    })
    if (made !== null) return made
  }
  throw new Refusal(
    'conflict',
    'The sources of the site changed while its hosts were assigned. Nothing was changed: open the gate again.',
  )
}

const MAX_ATTEMPTS = 5
/** After so many hosts, a few milliseconds, other work of this process may run. */
const HOSTS_AT_ONCE = 20

/** Hosts with requests or events. On hosts of development origins (rules 6.14) no crawler is expected. */
const hostsWithEvidence = (site_id: string) => rows(Type.Object({ host: Type.String() }))`
  SELECT DISTINCT host
  FROM spoor.pages
  WHERE site_id = ${uuid(site_id)} AND (
    page_id IN (SELECT page_id FROM spoor.requests WHERE site_id = ${uuid(site_id)})
    OR page_id IN (SELECT page_id FROM spoor.events WHERE site_id = ${uuid(site_id)} AND stream != 'development')
  )
  ORDER BY host`

interface Plan {
  assignments: PlannedAssignment[]
  basis: string
}

/** Computes the assignments outside of the transaction, because a site may have 1,000 hosts. */
async function planAssignments({ clock, control, site }: SiteContext, seen: readonly string[]): Promise<Plan> {
  const now = clock.now()
  const { known, authority, basis } = await control.snapshot(async (tx) => ({
    known: await readCoverageEvidence(tx, site.id),
    authority: await readAuthority(tx, site.id),
    basis: await basisOf(tx, site.id),
  }))
  const primaries = new Map(known.sources.filter((source) => source.is_primary === 1).map((row) => [row.id, row]))
  const intervals = known.intervals.filter((row) => primaries.has(row.source_id) && row.from_at < now)
  if (intervals.length === 0) return { assignments: [], basis }
  const chainOf = openChains({ ...known, sources: [...primaries.values()], intervals }, now)
  const covered = Map.groupBy(distinct(intervals), (row) => row.source_id)
  const assigned = new Set(authority.assignments.map(({ hostname }) => hostname))
  const declared = intervals.map((row) => row.host).filter((host) => host !== EVERY_HOST && !isWildcard(host))
  const hosts = new Set([...declared, ...seen])
  // A site whose logs show no crawler still has its root domain, for which zero can be proven.
  if (hosts.size === 0) hosts.add(site.root_domain)
  const assignments: PlannedAssignment[] = []
  for (const [at, hostname] of [...hosts]
    .filter((host) => !assigned.has(host))
    .sort()
    .entries()) {
    if (at % HOSTS_AT_ONCE === 0) await yieldToEventLoop()
    for (const { lead_source_id, from } of chainOf(hostname)) {
      const lead = primaries.get(lead_source_id) as SourceRow
      const sampling = lowestSampling(intervalsOfHost(hostname, covered.get(lead_source_id) ?? []))
      const promise = { sampling, path_fidelity: pathFidelity(lead, known.zones) }
      assignments.push({ revision: revisionFor(lead, hostname, promise), effective_day: from })
    }
  }
  return { assignments, basis }
}

interface Sampled {
  source_id: string
  host: string
  sampling: number | null
}

function distinct(intervals: readonly Sampled[]): Sampled[] {
  return [...new Map(intervals.map((row) => [`${row.source_id} ${row.host} ${row.sampling}`, row])).values()]
}

/** Identifies everything that assignments depend on except instants. If it has changed, they are planned again. */
async function basisOf(tx: ControlDb, site_id: string): Promise<string> {
  const sources = await tx.selectFrom('sources').selectAll().where('site_id', '=', site_id).orderBy('id').execute()
  const covered = await tx
    .selectFrom('coverage_intervals')
    .select(['source_id', 'host', 'sampling'])
    .distinct()
    .where('site_id', '=', site_id)
    .orderBy('source_id')
    .orderBy('host')
    .orderBy('sampling')
    .execute()
  const zones = await tx
    .selectFrom('zones')
    .innerJoin('sources', 'sources.id', 'zones.source_id')
    .select(['zones.source_id', 'zones.refused_fields'])
    .where('sources.site_id', '=', site_id)
    .orderBy('zones.source_id')
    .execute()
  const named = zones.map(({ source_id, refused_fields }) => [source_id, namesPages(refused_fields)])
  const reported = sources.map((source) => [source.id, source.is_primary, source.name, statusFidelity(source)])
  return JSON.stringify([reported, named, covered.map(({ source_id, host, sampling }) => [source_id, host, sampling])])
}

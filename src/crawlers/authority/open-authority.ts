/** Opening the authority gate: each host is assigned to its counting source from that source's first covered day (rules 5). */

import Type from 'typebox'
import { DAY_MS, dayStart, utcDay } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { SourceRow } from '#control/tables.ts'
import { rows, uuid } from '#evidence/sql.ts'
import { isGateOpen, setGate } from '#sites/gates.ts'
import type { SiteContext } from '../context.ts'
import { bestUnits } from '../coverage/counting.ts'
import { readWatchedEvidence } from '../coverage/site-coverage.ts'
import { countingUnits, EVERY_HOST, isWildcard, type Unit } from '../coverage/units.ts'
import { type DayRange, eachDay } from '../coverage/window.ts'
import { storeAssignment } from './assign.ts'
import { revisionOf } from './promise.ts'
import { type Assignment, readAuthority } from './read-authority.ts'

/** Opens the gate and returns the assignments made by it; hosts that were assigned before keep what they have. */
export async function openAuthority(ctx: SiteContext): Promise<Assignment[]> {
  // Hosts that appear between the two reads are listed as unknown, and the owner assigns them.
  const seen = await ctx.evidence.all(hostsWithEvidence(ctx.site.id))
  const gate = { site_id: ctx.site.id, name: 'crawler_authority_v2', is_open: true } as const
  return ctx.control.transaction(async (tx) => {
    if (await isGateOpen(tx, ctx.site.id, gate.name)) return []
    const made = await assignCountingSources(
      tx,
      ctx,
      seen.map((row) => row.host),
    )
    await setGate(tx, ctx, gate)
    return made
  })
}

const hostsWithEvidence = (site_id: string) => rows(Type.Object({ host: Type.String() }))`
  SELECT DISTINCT host FROM spoor.pages WHERE site_id = ${uuid(site_id)} ORDER BY host`

async function assignCountingSources(
  tx: ControlTransaction,
  { clock, site }: SiteContext,
  seen: readonly string[],
): Promise<Assignment[]> {
  const now = clock.now()
  const known = await readWatchedEvidence(tx, site.id)
  const primaries = known.sources.filter((source) => source.is_primary === 1)
  const ids = new Set(primaries.map((source) => source.id))
  const intervals = known.intervals.filter((row) => ids.has(row.source_id) && row.from_at < now)
  if (intervals.length === 0) return []
  const range = { from: utcDay(intervals.reduce((first, row) => Math.min(first, row.from_at), now)), to: utcDay(now) }
  const units = countingUnits({ ...known, sources: primaries, intervals }, range, now)
  const assigned = new Set((await readAuthority(tx, site.id)).assignments.map(({ hostname }) => hostname))
  const declared = intervals.map((row) => row.host).filter((host) => host !== EVERY_HOST && !isWildcard(host))
  const hosts = new Set([...declared, ...seen])
  // A site whose logs show no crawler at all still has its root domain, whose zero can be proven.
  if (hosts.size === 0) hosts.add(site.root_domain)
  const made: Assignment[] = []
  for (const hostname of [...hosts].filter((host) => !assigned.has(host)).sort()) {
    for (const { unit, from } of countingChain(units, hostname, range)) {
      const lead = primaries.find((source) => source.id === unit.lead_id) as SourceRow
      made.push(await storeAssignment(tx, revisionOf(lead, hostname, intervals), from, now))
    }
  }
  return made
}

/**
 * The source that counts the host now, from its first covered day; before that day the one that counted then, and so on, so that no
 * day which counted before the gate was opened is lost by it.
 */
function countingChain(units: readonly Unit[], hostname: string, range: DayRange): { unit: Unit; from: string }[] {
  const days = eachDay(range)
  const { by } = bestUnits(units, hostname, days.length)
  const chain: { unit: Unit; from: string }[] = []
  for (let at = days.length - 1; at >= 0; ) {
    const unit = units[by[at] as number]
    if (unit === undefined) {
      at--
      continue
    }
    const first = unit
      .intervals(hostname)
      .reduce((least, row) => Math.min(least, row.from_at), dayStart(days[at] as string))
    chain.unshift({ unit, from: utcDay(first) })
    at = dayStart(utcDay(first)) / DAY_MS - dayStart(range.from) / DAY_MS - 1
  }
  return chain
}

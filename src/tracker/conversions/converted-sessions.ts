/** What the other answers tell of conversions: sessions with at least one of any revision in force (rules 6, decision 0022). */
import { createHash } from 'node:crypto'
import { DAY_MS, dayStart } from '#clock.ts'
import type { DefinitionBuildRow } from '#control/tables.ts'
import type { StatementLimits } from '#evidence/store.ts'
import type { TrackerContext } from '../context.ts'
import type { TrackerReading } from '../coverage/reading.ts'
import { type ConversionRevision, findConversionRevisions } from '../definitions/definitions.ts'
import { type Evaluation, findDefinitionBuilds } from '../definitions/evaluated-days.ts'
import { daysObserved } from '../definitions/observed.ts'
import { isEmptyScope, type TrackerScope } from '../scope.ts'
import type { ConversionBatch } from './conversions.sql.ts'
import { type ConvertedBy, convertedCounts } from './converted.sql.ts'
import { batchOf } from './count-conversions.ts'

export interface ConvertedSessions {
  total: number
  /** Covered days on which a conversion was in force; on the others nothing was asked, so nothing is zero. */
  by_day: Map<string, number>
}

/** Sessions with a conversion; null when none was in force on a covered day. Call it for a reading with evidence. */
export async function countConvertedSessions(
  ctx: TrackerContext,
  reading: TrackerReading,
  limits?: StatementLimits,
): Promise<ConvertedSessions | null> {
  const found = await count(ctx, reading, 'day', limits)
  if (found === null) return null
  const sums = addUp(found.rows)
  // On a day that was asked about, no row is the observation that no session converted.
  const by_day = new Map(found.asked_days.map((day) => [day, sums.has(day) ? (sums.get(day) as number) : 0]))
  return { total: [...by_day.values()].reduce((sum, sessions) => sum + sessions, 0), by_day }
}

/** The same for these pages (decimal ids): sessions in which a conversion happened on them; pages without one are left out. */
export async function countConversionsByPage(
  ctx: TrackerContext,
  reading: TrackerReading,
  page_ids: readonly string[],
  limits?: StatementLimits,
): Promise<Map<string, number> | null> {
  const found = await count(ctx, reading, { page_ids }, limits)
  return found === null ? null : addUp(found.rows)
}

/** Stored and counted parts of the same day or page, together. */
function addUp(rows: readonly { key: string; sessions: number }[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { key, sessions } of rows) {
    const known = sums.get(key)
    sums.set(key, known === undefined ? sessions : known + sessions)
  }
  return sums
}

async function count(ctx: TrackerContext, reading: TrackerReading, by: ConvertedBy, limits?: StatementLimits) {
  // After the reading's own snapshot: what is stored by now can only have been derived from more.
  const { revisions, builds } = await ctx.control.snapshot(async (tx) => ({
    revisions: await findConversionRevisions(tx, ctx.site.id),
    builds: await findDefinitionBuilds(tx, ctx.site.id, reading.range),
  }))
  const asked_days = daysObserved(reading, revisions)
  if (asked_days.length === 0) return null
  const { scope } = reading
  return {
    asked_days,
    rows: isEmptyScope(scope) ? [] : await countRows(ctx, scope, { revisions, builds, by }, limits),
  }
}

interface Asked {
  revisions: readonly ConversionRevision[]
  builds: readonly DefinitionBuildRow[]
  by: ConvertedBy
}

async function countRows(
  ctx: TrackerContext,
  scope: TrackerScope,
  { revisions, builds, by }: Asked,
  limits?: StatementLimits,
) {
  const evaluation = planConverted(scope, revisions, builds)
  const batches = [
    ...(scope.fact_days.length === 0 ? [] : [batchOf(revisions, scope.fact_days, scope)]),
    ...(evaluation.missing.builds.length === 0 ? [] : [closedBatch(scope.site_id, revisions, evaluation)]),
  ]
  return ctx.evidence.all(convertedCounts(evaluation, batches, by), limits)
}

const closedBatch = (
  site_id: string,
  revisions: readonly ConversionRevision[],
  { missing }: Evaluation,
): ConversionBatch => {
  const days = missing.builds.map(({ day }) => day)
  return batchOf(revisions, days, { site_id, builds: missing.builds })
}

/** A day is stored under the set of revisions that were in force on it: another set is another definition. */
function planConverted(
  scope: TrackerScope,
  revisions: readonly ConversionRevision[],
  builds: readonly DefinitionBuildRow[],
): Evaluation {
  const built = new Map(builds.map((row) => [`${row.day} ${row.definition_id}`, row.build]))
  const asked = scope.builds.map(({ day, build }) => {
    const set = inForceOn(revisions, day)
    return { day, build, set, stored: set === null ? undefined : built.get(`${day} ${set.id}`) }
  })
  const ids = new Set(asked.flatMap(({ set }) => (set === null ? [] : [set.id])))
  return {
    scope,
    definition_ids: [...ids],
    stored: asked.flatMap(({ day, stored }) => (stored === undefined ? [] : [{ day, build: stored }])),
    missing: {
      definition_ids: [],
      builds: asked.filter(({ set, stored }) => set !== null && stored === undefined),
    },
  }
}

/** The revisions in force on a UTC day, and an id for exactly them and when they are; null for none. */
export function inForceOn(
  revisions: readonly ConversionRevision[],
  day: string,
): { id: string; revisions: ConversionRevision[] } | null {
  const [from, to] = [dayStart(day), dayStart(day) + DAY_MS]
  const parts = revisions
    .map((revision) => ({
      revision,
      from: Math.max(revision.effective_from, from),
      to: Math.min(revision.effective_to ?? to, to),
    }))
    .filter((part) => part.from < part.to)
  if (parts.length === 0) return null
  const text = parts.map((part) => `${part.revision.id} ${part.from - from} ${part.to - from}`).sort()
  const hex = createHash('sha256').update(text.join('\n')).digest('hex')
  // RFC 9562, version 8: a uuid whose bits are the application's own.
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  return { id, revisions: parts.map(({ revision }) => revision) }
}

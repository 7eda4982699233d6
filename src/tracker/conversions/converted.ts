/** Sessions with at least one conversion of any revision in force, for the other answers (rules 6, decision 0022). */
import { createHash } from 'node:crypto'
import { DAY_MS } from '#clock.ts'
import type { ControlDb } from '#control/store.ts'
import type { BuildRow } from '#control/tables.ts'
import { dayStart } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'
import { findBuilds } from '#derived/builds.ts'
import type { TrackerReading } from '../coverage/reading.ts'
import { type ConversionRevision, findConversionRevisions } from '../definitions/definitions.ts'
import type { Evaluation } from '../definitions/evaluated-days.ts'
import { daysObserved } from '../definitions/observed-days.ts'
import { dayStillOpen, splitBuilds, type TrackerScope } from '../scope.ts'
import type { ClosedBatch, FactBatch } from './conversions.sql.ts'
import { batchOf, inForceOnAny } from './count-conversions.ts'

/** What the control store knows of a range. */
export interface ConvertedFacts {
  revisions: ConversionRevision[]
  builds: BuildRow[]
}

/** Read it in the snapshot that coverage is read in. */
export async function findConverted(db: ControlDb, site_id: string, range: DayRange): Promise<ConvertedFacts> {
  return {
    revisions: await findConversionRevisions(db, site_id),
    builds: await findBuilds(db, 'definitions', site_id, range),
  }
}

/** Where the converted sessions of a reading are counted. */
export interface ConvertedPlan {
  /** Covered days on which a conversion was in force, ascending; on the others nothing is zero. */
  asked_days: string[]
  stored: Evaluation
  /** Closed days of which it is not stored; null for none. */
  closed: ClosedBatch | null
  /** The days that are read from facts; null when no conversion was in force on any of them. */
  facts: FactBatch | null
}

/** Null when no conversion was in force on a covered day: nothing was asked. */
export function planConverted(
  reading: Pick<TrackerReading, 'days' | 'scope'>,
  { revisions, builds }: ConvertedFacts,
): ConvertedPlan | null {
  const asked_days = daysObserved(reading, revisions)
  if (asked_days.length === 0) return null
  const { scope } = reading
  const stored = planStored(scope, revisions, builds)
  const missing = stored.missing.builds
  const missing_days = missing.map(({ day }) => day)
  const on_missing = inForceOnAny(revisions, missing_days)
  const on_facts = inForceOnAny(revisions, scope.fact_days)
  return {
    asked_days,
    stored,
    closed:
      missing.length === 0 ? null : batchOf(on_missing, missing_days, { site_id: scope.site_id, builds: missing }),
    facts: on_facts.length === 0 ? null : batchOf(on_facts, scope.fact_days, scope),
  }
}

/** What a plan counts on days that are read from builds that last. */
export const ofClosedDays = (plan: ConvertedPlan): ConvertedPlan => ({
  ...plan,
  closed: onlyBuilds(plan, 'lasting'),
  facts: null,
})

/** What a plan counts on days that are read from facts or from a snapshot. */
export const ofOpenDays = (plan: ConvertedPlan): ConvertedPlan => ({
  ...plan,
  stored: { ...plan.stored, stored: [] },
  closed: onlyBuilds(plan, 'passing'),
})

function onlyBuilds({ closed, stored: { scope } }: ConvertedPlan, which: 'lasting' | 'passing'): ClosedBatch | null {
  if (closed === null) return null
  const builds = splitBuilds(closed.of.builds, scope)[which]
  return builds.length === 0 ? null : { ...closed, of: { ...closed.of, builds } }
}

/** A day is stored under the set of revisions that were in force on it: another set is another definition. */
function planStored(
  scope: TrackerScope,
  revisions: readonly ConversionRevision[],
  builds: readonly BuildRow[],
): Evaluation {
  const built = new Map(builds.map((row) => [`${row.day} ${row.part}`, row.build]))
  const open_day = dayStillOpen(scope)
  const asked = scope.builds.map(({ day, build }) => {
    const set = inForceOn(revisions, day)
    // A day that is open again, or dirty, may have counts of when it was whole.
    const isStored = set !== null && day !== open_day
    return { day, build, set, stored: isStored ? built.get(`${day} ${set.id}`) : undefined }
  })
  const ids = new Set(asked.flatMap(({ set }) => (set === null ? [] : [set.id])))
  return {
    scope,
    definition_ids: [...ids],
    stored: asked.flatMap(({ day, stored }) => (stored === undefined ? [] : [{ day, build: stored }])),
    missing: {
      definition_ids: [],
      builds: asked.flatMap(({ day, build, set, stored }) =>
        set !== null && stored === undefined ? [{ day, build }] : [],
      ),
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

/** Plans the count of sessions with any conversion in force, for the other answers (rules 6, decision 0022). */
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
import { openDayWithBuilds, splitBuilds, type TrackerScope } from '../scope.ts'
import type { ClosedBatch, FactBatch } from './conversions.sql.ts'
import { batchOf, inForceOnAny } from './count-conversions.ts'

/** The definitions of a site, and the builds of a range. */
export interface ConvertedFacts {
  revisions: ConversionRevision[]
  builds: BuildRow[]
}

/** Call it in the snapshot in which coverage is read. */
export async function findConverted(db: ControlDb, site_id: string, range: DayRange): Promise<ConvertedFacts> {
  return {
    revisions: await findConversionRevisions(db, site_id),
    builds: await findBuilds(db, 'definitions', site_id, range),
  }
}

/** From where the converted sessions of a reading are counted. */
export interface ConvertedPlan {
  /** Covered days on which a conversion was in force, ascending. On other days a missing count is not zero. */
  measured_days: string[]
  stored: Evaluation
  /** Closed days without a stored count; null for none. */
  closed: ClosedBatch | null
  /** The days that are read from facts; null if no conversion was in force on any of them. */
  facts: FactBatch | null
}

/** Null if no conversion was in force on a covered day: there is nothing to count. */
export function planConverted(
  reading: Pick<TrackerReading, 'days' | 'scope'>,
  { revisions, builds }: ConvertedFacts,
): ConvertedPlan | null {
  const measured_days = daysObserved(reading, revisions)
  if (measured_days.length === 0) return null
  const { scope } = reading
  const stored = planStored(scope, revisions, builds)
  const missing = stored.missing.builds
  const missing_days = missing.map(({ day }) => day)
  const on_missing = inForceOnAny(revisions, missing_days)
  const on_facts = inForceOnAny(revisions, scope.fact_days)
  return {
    measured_days,
    stored,
    closed:
      missing.length === 0 ? null : batchOf(on_missing, missing_days, { site_id: scope.site_id, builds: missing }),
    facts: on_facts.length === 0 ? null : batchOf(on_facts, scope.fact_days, scope),
  }
}

/** The part of a plan that counts from permanent builds. */
export const planForBuilds = (plan: ConvertedPlan): ConvertedPlan => ({
  ...plan,
  closed: onlyBuilds(plan, 'permanent'),
  facts: null,
})

/** The part of a plan that counts from facts or from a snapshot. */
export const planForOpenDays = (plan: ConvertedPlan): ConvertedPlan => ({
  ...plan,
  stored: { ...plan.stored, stored: [] },
  closed: onlyBuilds(plan, 'temporary'),
})

function onlyBuilds(
  { closed, stored: { scope } }: ConvertedPlan,
  which: 'permanent' | 'temporary',
): ClosedBatch | null {
  if (closed === null) return null
  const builds = splitBuilds(closed.of.builds, scope)[which]
  return builds.length === 0 ? null : { ...closed, of: { ...closed.of, builds } }
}

/** Counts of a day are stored under the id of the set of revisions that were in force on it. */
function planStored(
  scope: TrackerScope,
  revisions: readonly ConversionRevision[],
  builds: readonly BuildRow[],
): Evaluation {
  const built = new Map(builds.map((row) => [`${row.day} ${row.part}`, row.build]))
  const open_day = openDayWithBuilds(scope)
  const days = scope.builds.map(({ day, build }) => {
    const set = revisionSetOn(revisions, day)
    // A day that is open or dirty again may have counts from the time when it was closed.
    const isStored = set !== null && day !== open_day
    return { day, build, set, stored: isStored ? built.get(`${day} ${set.id}`) : undefined }
  })
  const ids = new Set(days.flatMap(({ set }) => (set === null ? [] : [set.id])))
  return {
    scope,
    definition_ids: [...ids],
    stored: days.flatMap(({ day, stored }) => (stored === undefined ? [] : [{ day, build: stored }])),
    missing: {
      definition_ids: [],
      builds: days.flatMap(({ day, build, set, stored }) =>
        set !== null && stored === undefined ? [{ day, build }] : [],
      ),
    },
  }
}

/** The revisions in force on a UTC day, with an id for this set and its times; null if there are none. */
export function revisionSetOn(
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
  // A UUID of version 8 (RFC 9562), whose bits the application chooses.
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  return { id, revisions: parts.map(({ revision }) => revision) }
}

/** The closed days on which a definition's counts are stored, and those that must be evaluated (decision 0022). */

import type { BuildRow } from '#control/tables.ts'
import { type Fragment, list, or, sql, uuid } from '#evidence/sql.ts'
import { openDayWithBuilds, type TrackerScope } from '../scope.ts'
import { inBuilds } from '../sessions/sessions.sql.ts'
import { type EffectivePeriod, isInForceOn } from './in-force.ts'

/** How some definitions are counted on the closed days of a scope. Open and dirty days are always read from facts. */
export interface Evaluation {
  scope: TrackerScope
  definition_ids: readonly string[]
  /** Days and builds that stored counts may be taken from. */
  stored: { day: string; build: number }[]
  /** These definitions are evaluated from sessions on all of these days, even where their counts are stored. */
  missing: { definition_ids: string[]; builds: { day: string; build: number }[] }
}

interface Defined extends EffectivePeriod {
  id: string
}

/**
 * A definition counts nothing on days on which it is not in force, and no counts are stored for them. Their sessions
 * are not read for it; otherwise every answer after an edit would evaluate the whole window again.
 */
export function planEvaluation(
  scope: TrackerScope,
  definitions: readonly Defined[],
  builds: readonly BuildRow[],
): Evaluation {
  const definition_ids = definitions.map(({ id }) => id)
  const asked = new Set(definition_ids)
  const closed = new Set(scope.builds.map(({ day }) => day))
  // A day that is open again, or dirty, may have counts from the time when it was closed.
  const open_day = openDayWithBuilds(scope)
  const usable = builds.filter((row) => asked.has(row.part) && closed.has(row.day) && row.day !== open_day)
  const known = new Set(usable.map((row) => `${row.day} ${row.part}`))
  const isMissing = (definition: Defined, day: string) =>
    isInForceOn(definition, day) && !known.has(`${day} ${definition.id}`)
  const pairs = new Map(usable.map(({ day, build }) => [`${day} ${build}`, { day, build }]))
  return {
    scope,
    definition_ids,
    stored: [...pairs.values()],
    missing: {
      definition_ids: definitions.filter((one) => [...closed].some((day) => isMissing(one, day))).map(({ id }) => id),
      builds: scope.builds.filter(({ day }) => definitions.some((one) => isMissing(one, day))),
    },
  }
}

/** The greatest length of a list in a statement (evidence/parameters.ts); more pairs take several lists. */
const MAX_PAIRS_IN_LIST = 10_000

/** Rows of spoor.definition_daily that belong to the builds in use. */
export function inDefinitionBuilds({ scope, definition_ids, stored, missing }: Evaluation): Fragment {
  const lists: Fragment[] = []
  for (let at = 0; at < stored.length; at += MAX_PAIRS_IN_LIST) {
    lists.push(inBuilds(stored.slice(at, at + MAX_PAIRS_IN_LIST)))
  }
  const missing_days = missing.builds.map(({ day }) => day)
  return sql`site_id = ${uuid(scope.site_id)} AND definition_id IN ${list('UUID', definition_ids)} AND ${or(lists)}
    AND NOT (definition_id IN ${list('UUID', missing.definition_ids)} AND day IN ${list('Date', missing_days)})`
}

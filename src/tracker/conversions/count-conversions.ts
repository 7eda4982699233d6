/** Counts the sessions and events of conversion revisions (rules 6, decision 0022). */
import { DAY_MS } from '#clock.ts'
import { dayStart } from '#days/utc-day.ts'
import { cacheable } from '#derived/build-row-cache.ts'
import type { EvidenceStore, StatementLimits } from '#evidence/store.ts'
import type { ConversionRevision } from '../definitions/definitions.ts'
import type { Evaluation } from '../definitions/evaluated-days.ts'
import { isInForceOn } from '../definitions/in-force.ts'
import { isEmptyScope, openDayWithBuilds, splitBuilds, splitScope } from '../scope.ts'
import {
  type ConversionBatch,
  conversionCounts,
  MAX_IDENTITIES,
  type ServerDays,
  storedConversions,
} from './conversions.sql.ts'

export interface ConversionCount {
  converted_sessions: number
  conversion_events: number
  /** Converted sessions by their stored origin; `dimension` is `origin` or one of the five UTM fields. */
  sources: Map<string, { dimension: string; identity: string; converted_sessions: number }>
  /** Dimensions with more identities than `sources` holds: those with the most sessions. */
  cut: Set<string>
}

export interface ConversionCounts {
  /** Counts by revision id. */
  by_revision: Map<string, ConversionCount>
  /** All sessions of the scope. */
  sessions: number
}

/** Adds up the stored counts and each batch that is counted now; the statements run concurrently (decision 0021). */
export async function countConversions(
  evidence: EvidenceStore,
  revisions: readonly ConversionRevision[],
  evaluation: Evaluation,
  limits?: StatementLimits,
): Promise<ConversionCounts> {
  const by_revision = new Map(revisions.map(({ id }) => [id, noCount()]))
  const found = await Promise.all([
    readStored(evidence, evaluation, limits),
    ...batchesOf(revisions, evaluation).map((batch) => countNow(evidence, batch, limits)),
  ])
  let sessions = 0
  for (const rows of found) {
    for (const { id, ...row } of rows) {
      if (id === null) sessions += row.sessions
      else add(by_revision.get(id) as ConversionCount, row)
    }
    for (const { id, dimension } of cutLists(rows)) by_revision.get(id)?.cut.add(dimension)
  }
  return { by_revision, sessions }
}

/** `id` is the id of a revision, or null for all sessions of the days. */
interface Counted {
  id: string | null
  dimension: string
  identity: string
  sessions: number
  events: number
}

/** The lists of one statement with more rows than may be published. A list that was cut when it was stored is one. */
function cutLists(rows: readonly Counted[]): { id: string; dimension: string }[] {
  const lists = Map.groupBy(rows, ({ id, dimension }) => `${id} ${dimension}`)
  return [...lists.values()].flatMap((list) => {
    const [first] = list
    const isCut = first !== undefined && first.id !== null && list.length > MAX_IDENTITIES
    return isCut ? [{ id: first.id as string, dimension: first.dimension }] : []
  })
}

async function readStored(
  evidence: EvidenceStore,
  evaluation: Evaluation,
  limits?: StatementLimits,
): Promise<Counted[]> {
  if (isEmptyScope(evaluation.scope)) return []
  const { closed, open } = splitScope(evaluation.scope)
  const parts = [
    isEmptyScope(closed) ? [] : evidence.all(cacheable(storedConversions({ ...evaluation, scope: closed })), limits),
    isEmptyScope(open) ? [] : evidence.all(storedConversions({ ...evaluation, stored: [], scope: open }), limits),
  ]
  const rows = (await Promise.all(parts)).flat()
  return rows.map(({ definition, ...row }) => ({ ...row, id: definition === 'all' ? null : definition }))
}

interface NumberedBatch {
  revisions: readonly ConversionRevision[]
  batch: ConversionBatch
  servers: ServerDays
}

async function countNow(
  evidence: EvidenceStore,
  { revisions, batch, servers }: NumberedBatch,
  limits?: StatementLimits,
): Promise<Counted[]> {
  const statement = conversionCounts(batch, servers)
  // A later event of a server makes the closed day dirty, so the events of a build's day never change.
  const rows = await evidence.all(servers.until === null ? cacheable(statement) : statement, limits)
  return rows.map(({ number, ...row }) => ({ ...row, id: revisions[number]?.id as string }))
}

function batchesOf(revisions: readonly ConversionRevision[], { scope, missing }: Evaluation): NumberedBatch[] {
  const unevaluated = revisions.filter((revision) => missing.definition_ids.includes(revision.id))
  const { site_id, cutoff } = scope
  const batch = (
    defined: readonly ConversionRevision[],
    days: readonly string[],
    of: ConversionBatch['of'],
    servers: ServerDays,
  ): NumberedBatch[] => {
    const counting = inForceOnAny(defined, days)
    return counting.length === 0 ? [] : [{ revisions: counting, batch: batchOf(counting, days, of), servers }]
  }
  const { permanent, temporary } = splitBuilds(missing.builds, scope)
  const [permanent_days, temporary_days] = [permanent.map(({ day }) => day), temporary.map(({ day }) => day)]
  // Servers' events of the open day are counted once: with its facts, or with its snapshot.
  const closed_days = permanent_days.filter((day) => day !== openDayWithBuilds(scope))
  return [
    ...batch(revisions, scope.fact_days, scope, { days: scope.fact_days, until: cutoff }),
    ...batch(unevaluated, permanent_days, { site_id, builds: permanent }, { days: closed_days, until: null }),
    ...batch(unevaluated, temporary_days, { site_id, builds: temporary }, { days: temporary_days, until: cutoff }),
  ]
}

/** Revisions in force on any of these days; the others would only make the statement longer. */
export const inForceOnAny = (
  revisions: readonly ConversionRevision[],
  days: readonly string[],
): readonly ConversionRevision[] => revisions.filter((revision) => days.some((day) => isInForceOn(revision, day)))

const noCount = (): ConversionCount => ({
  converted_sessions: 0,
  conversion_events: 0,
  sources: new Map(),
  cut: new Set(),
})

function add(
  count: ConversionCount,
  row: { dimension: string; identity: string; sessions: number; events: number },
): void {
  const { dimension, identity } = row
  if (dimension === '') {
    count.converted_sessions += row.sessions
    count.conversion_events += row.events
    return
  }
  const key = `${dimension} ${identity}`
  const known = count.sources.get(key)
  if (known === undefined) count.sources.set(key, { dimension, identity, converted_sessions: row.sessions })
  else known.converted_sessions += row.sessions
}

/** A batch that counts the revisions on these days (ascending, at least one). */
export function batchOf<Of extends ConversionBatch['of']>(
  revisions: readonly ConversionRevision[],
  days: readonly string[],
  of: Of,
): ConversionBatch & { of: Of } {
  const from = dayStart(days[0] as string)
  const to = dayStart(days.at(-1) as string) + DAY_MS
  const in_force = revisions.map((revision) => ({
    from: revision.effective_from,
    to: revision.effective_to ?? Number.MAX_SAFE_INTEGER,
  }))
  const isAlways = in_force.every((range) => range.from <= from && range.to >= to)
  return { matchers: revisions.map(({ matcher }) => matcher), in_force: isAlways ? null : in_force, of }
}

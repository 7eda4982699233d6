/** Sessions and events of conversion revisions, all in one statement (rules 6, decision 0022). */
import { DAY_MS, dayStart } from '#clock.ts'
import type { EvidenceStore, StatementLimits } from '#evidence/store.ts'
import type { ConversionRevision } from '../definitions/definitions.ts'
import type { Evaluation } from '../definitions/evaluated-days.ts'
import { type ConversionBatch, conversionCounts } from './conversions.sql.ts'

export interface ConversionCount {
  converted_sessions: number
  conversion_events: number
  /** Converted sessions by what is stored of where they came from; `dimension` is `origin` or one of the five UTM fields. */
  sources: Map<string, { dimension: string; identity: string; converted_sessions: number }>
}

export interface ConversionCounts {
  /** By revision id. */
  by_revision: Map<string, ConversionCount>
  /** Every session of the scope. */
  sessions: number
}

export async function countConversions(
  evidence: EvidenceStore,
  revisions: readonly ConversionRevision[],
  evaluation: Evaluation,
  limits?: StatementLimits,
): Promise<ConversionCounts> {
  const { scope, missing } = evaluation
  const unevaluated = revisions.filter((revision) => missing.definition_ids.includes(revision.id))
  const closed = { site_id: scope.site_id, builds: missing.builds }
  const closed_days = missing.builds.map(({ day }) => day)
  // Facts are read even without a revision in force there, because their sessions count in the denominator.
  const batches = [
    ...(scope.fact_days.length === 0 ? [] : [{ revisions, batch: batchOf(revisions, scope.fact_days, scope) }]),
    ...(closed_days.length === 0 || unevaluated.length === 0
      ? []
      : [{ revisions: unevaluated, batch: batchOf(unevaluated, closed_days, closed) }]),
  ]
  const rows = await evidence.all(
    conversionCounts(
      evaluation,
      batches.map(({ batch }) => batch),
    ),
    limits,
  )
  const by_revision = new Map(revisions.map(({ id }) => [id, noCount()]))
  let sessions = 0
  for (const row of rows) {
    if (row.definition === 'all') sessions += row.sessions
    else {
      const isNumber = /^\d+$/.test(row.definition)
      const id = isNumber ? batches[row.batch]?.revisions[Number(row.definition)]?.id : row.definition
      add(by_revision.get(id as string) as ConversionCount, row)
    }
  }
  return { by_revision, sessions }
}

const noCount = (): ConversionCount => ({ converted_sessions: 0, conversion_events: 0, sources: new Map() })

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
  const known = count.sources.get(key) ?? { dimension, identity, converted_sessions: 0 }
  count.sources.set(key, { ...known, converted_sessions: known.converted_sessions + row.sessions })
}

/** The revisions as one batch over these days (ascending, at least one). */
export function batchOf(
  revisions: readonly ConversionRevision[],
  days: readonly string[],
  of: ConversionBatch['of'],
): ConversionBatch {
  const from = dayStart(days[0] as string)
  const to = dayStart(days.at(-1) as string) + DAY_MS
  const in_force = revisions.map((revision) => ({
    from: revision.effective_from,
    to: revision.effective_to ?? Number.MAX_SAFE_INTEGER,
  }))
  const isAlways = in_force.every((stretch) => stretch.from <= from && stretch.to >= to)
  return { matchers: revisions.map(({ matcher }) => matcher), in_force: isAlways ? null : in_force, of }
}

/** Funnels, in the list and alone (spec 2.6; rules 6, Funnels and the table of funnel situations). */
import { UNPREDICTED } from '../compare.ts'
import { type Ask, dayOf, type History, type Instant } from '../history.ts'
import { daysIn, isEffective, readAgain } from './conversions.ts'
import { gapsOf } from './days.ts'
import type { FunnelRevision } from './definitions.ts'
import { asksTooEarly, describedStep, revisionFields, slugOf } from './described.ts'
import { missedBy, missedByAll } from './missed.ts'
import { ratio } from './overview.ts'
import { completenessOf, envelope, instantOrNull, limitationsOf, type Reading, read } from './reading.ts'
import type { Rules } from './rules.ts'
import { reachOf } from './step-chains.ts'

/** One row for each funnel: active ones by name, then archived ones. */
export function funnels(history: History, as_of: Instant, ask: Ask, rules: Rules): unknown {
  const window = read(history, as_of, ask, rules, missedByAll)
  const all = currentOf(window.evidence.definitions.funnels).toSorted(
    (a, b) => Number(a.is_archived) - Number(b.is_archived) || (a.name < b.name ? -1 : 1),
  )
  const limit = ask.limit ?? 100
  const rows = all.slice(0, limit)
  return {
    meta: {
      ...metaOf(window, 'analytics-funnels/v1'),
      pagination: { limit, returned_count: rows.length, total_count: all.length, truncated: all.length > rows.length },
    },
    funnels: rows.map((row) => summaryOf(row, window).summary),
  }
}

/** Null: there is no such funnel or revision. */
export function funnel(history: History, as_of: Instant, ask: Ask, rules: Rules): unknown {
  const window = read(history, as_of, ask, rules, missedByAll)
  const revisions = window.evidence.definitions.funnels.filter(({ name }) => name === ask.funnel)
  const row =
    ask.revision === undefined ? revisions.at(-1) : revisions.find(({ revision }) => revision === ask.revision)
  if (row === undefined) return null
  const { summary, steps } = summaryOf(row, window)
  return { meta: metaOf(window, 'analytics-funnel/v1'), funnel: { ...summary, steps } }
}

const currentOf = (revisions: readonly FunnelRevision[]) => [
  ...new Map(revisions.map((revision) => [revision.ref, revision])).values(),
]

const missedByFunnel = (revision: FunnelRevision, { evidence }: Reading) =>
  missedBy(
    revision,
    revision.steps.flatMap((step) => (step.kind === 'conversion' ? [step.conversion.matcher] : [])),
    evidence.definitions,
  )

/** The window's; what one funnel misses stands in its evaluation coverage. */
function metaOf(window: Reading, contract: string) {
  const current = currentOf(window.evidence.definitions.funnels)
  return {
    ...envelope(window, contract),
    configuration: {
      state: current.length > 0 ? 'configured' : 'not_configured',
      active_count: current.filter(({ is_archived }) => !is_archived).length,
    },
  }
}

function isLate({ steps, from }: FunnelRevision, { evidence, days }: Reading): boolean {
  const begins = Math.max(from, Date.parse(days[0]?.day ?? ''))
  return steps.some(
    (step) => step.kind === 'conversion' && asksTooEarly(step.conversion.matcher, evidence.definitions, begins),
  )
}

function summaryOf(row: FunnelRevision, window: Reading) {
  const reading = readAgain(window, missedByFunnel(row, window))
  const { evidence, sessions, rules, proven, days, data_through } = reading
  const { definitions } = evidence
  const part = daysIn(row, reading)
  const is_effective = isEffective(row, reading)
  const is_unknown = proven.size === 0 || (is_effective && !part.some(({ day }) => proven.has(day)))
  const begun = sessions.filter(({ begins }) => begins >= row.from && (row.to === null || begins < row.to))
  const reaches = begun.map((session) => reachOf(session, row, rules))
  const is_ambiguous = is_effective && reaches.some((reach) => reach.is_ambiguous)
  const is_late = isLate(row, reading)
  const reached = row.steps.map((_, index) => reaches.filter(({ steps }) => steps > index).length)
  const [entered = 0] = reached
  const completed = reached.at(-1) ?? 0
  const is_suppressed = rules.suppressed_under_floor && entered > 0 && entered < definitions.privacy_floor
  const is_whole = days.every(({ state }) => state === 'complete') && !is_ambiguous && !is_late
  const state = is_unknown
    ? 'unknown'
    : !is_effective
      ? 'not_effective'
      : is_suppressed
        ? 'suppressed'
        : is_whole
          ? 'measured'
          : 'partial'
  const is_published = state === 'measured' || state === 'partial'
  const quality = {
    measured: 'exact',
    partial: 'observed_lower_bound',
    suppressed: 'suppressed',
    unknown: 'unknown',
    not_effective: 'unknown',
  }[state]
  const summary = {
    slug: slugOf(row),
    ...revisionFields(row),
    step_count: row.steps.length,
    evidence_state: state,
    evaluation_coverage: coverageOf({ row, reading, is_unknown, is_ambiguous, is_late }),
    available_from: evidence.first_event_at === null ? null : dayOf(evidence.first_event_at),
    data_through: instantOrNull(data_through),
    metrics: {
      entered_sessions: is_published ? entered : null,
      entered_quality: quality,
      completed_sessions: is_published ? completed : null,
      completed_quality: quality,
      completion_rate: is_published ? ratio(completed, entered) : null,
    },
    completeness: completenessOf(window),
  }
  const steps = row.steps.map((step, index) => ({
    position: index + 1,
    definition: describedStep(step, definitions),
    reached_sessions: is_published ? reached[index] : null,
    reached_quality: quality,
    rate_from_previous: is_published && index > 0 ? ratio(reached[index] ?? 0, reached[index - 1] ?? 0) : null,
  }))
  return { summary, steps }
}

interface Covered {
  row: FunnelRevision
  reading: Reading
  is_unknown: boolean
  is_ambiguous: boolean
  is_late: boolean
}

/** The table of rules 6. */
function coverageOf({ row, reading, is_unknown, is_ambiguous, is_late }: Covered) {
  const { days, evidence } = reading
  const gaps = evidence.is_installed ? gapsOf(days) : []
  // Refused events of visitors who opt out do not count against a day. The specification has no word for an unknown
  // order.
  const limitations = [
    ...limitationsOf(reading).filter((limitation) => limitation !== 'opted_out_visitors_not_counted'),
    ...(is_late ? ['property_declared_later'] : []),
  ].sort()
  if (is_unknown) {
    return {
      state: 'unknown',
      raw_events: 'unknown',
      core_collection: 'unknown',
      conversion_steps: 'unknown',
      session_integrity: 'unknown',
      event_order: 'unknown',
      gaps,
      limitations,
    }
  }
  // A gap day, whatever made it one, makes the core collection partial: its events are unknown, not lost.
  const loses_events = days.some(
    ({ state, reason, missing }) => (state === 'partial' && reason === 'collection_interrupted') || missing.length > 0,
  )
  const is_short = days.some(
    ({ state, reason }) =>
      state === 'gap' || (state === 'partial' && reason !== 'collection_interrupted' && reason !== 'events_refused'),
  )
  const has_conversions = row.steps.some(({ kind }) => kind === 'conversion')
  const is_whole = !loses_events && !is_short && !is_ambiguous && !is_late
  return {
    state: is_whole ? 'complete' : 'partial',
    raw_events: loses_events ? 'partial' : 'complete',
    core_collection: is_short ? 'partial' : 'complete',
    conversion_steps: !has_conversions ? 'not_applicable' : is_late ? 'partial' : 'complete',
    session_integrity: 'exact',
    event_order: is_ambiguous ? 'ambiguous' : 'exact',
    gaps,
    limitations: is_ambiguous ? UNPREDICTED : limitations,
  }
}

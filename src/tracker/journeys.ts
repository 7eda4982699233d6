import type { AnalyticsJourneys, AnalyticsJourneysInput } from '#contract/site-api/index.ts'
import { JOURNEY_FLOOR } from '#contract/site-api/journeys.ts'
import type { ValueCache } from '#derived/value-cache.ts'
import type { Row } from '#evidence/sql.ts'
import type { EvidenceStore, StatementLimits } from '#evidence/store.ts'
import type { TrackerContext } from './context.ts'
import { envelope } from './coverage/envelope.ts'
import { type OpenedReading, openTrackerReading } from './coverage/open-reading.ts'
import { publishCount } from './coverage/publish-count.ts'
import { withEvidence } from './coverage/with-evidence.ts'
import { journeyCounts, pagesOfFacts, pagesOfJourneys } from './journeys.sql.ts'
import { namesOfVisitedPages } from './pages.sql.ts'
import { isEmptyScope, type TrackerScope } from './scope.ts'

type PageName = Omit<Row<ReturnType<typeof namesOfVisitedPages>>, 'page_id'>

export interface JourneyCount {
  closed_sessions: number
  /** Sessions of sequences that have too few sessions to be shown. */
  grouped_sessions: number
  /** Sequences that may be shown. */
  total_count: number
  sequences: { pages: PageName[]; continued: boolean; sessions: number }[]
}

const NOTHING: JourneyCount = { closed_sessions: 0, grouped_sessions: 0, total_count: 0, sequences: [] }

/** Sequences of pages in closed sessions. Those with fewer than five sessions are grouped (rules 6, Journeys). */
export async function readJourneys(
  ctx: TrackerContext,
  { window, limit }: Pick<AnalyticsJourneysInput, 'window' | 'limit'>,
): Promise<AnalyticsJourneys> {
  const reading = await openTrackerReading(ctx, { window, reader: 'journeys' })
  const counted = await withEvidence(ctx, reading, async (evidence, limits) =>
    reading.has_evidence ? countJourneys({ ...ctx, evidence }, reading.scope, limit, limits) : NOTHING,
  )
  return {
    meta: {
      ...envelope(reading, {
        contract_version: 'analytics-journeys/v1',
        evaluator_version: 'journeys/v1',
        preset: window,
      }),
      pagination: {
        limit,
        returned_count: counted.sequences.length,
        total_count: publishCount(reading, counted.total_count),
        truncated: counted.total_count > counted.sequences.length,
      },
    },
    ...present(reading, limit, counted),
  }
}

function present(reading: OpenedReading, limit: number, counted: JourneyCount): Omit<AnalyticsJourneys, 'meta'> {
  const { closed_sessions, grouped_sessions, total_count, sequences } = counted
  const share = (sessions: number) => (closed_sessions === 0 ? null : sessions / closed_sessions)
  return {
    share_denominator: 'closed_sessions',
    closed_sessions: publishCount(reading, closed_sessions),
    grouping_threshold: JOURNEY_FLOOR,
    limit,
    returned_count: sequences.length,
    total_count: publishCount(reading, total_count),
    truncated: total_count > sequences.length,
    journeys: [
      ...sequences.map(({ pages, continued, sessions }) => ({
        kind: 'sequence' as const,
        pages,
        continued,
        sessions,
        share: sessions / closed_sessions,
      })),
      { kind: 'grouped', sessions: publishCount(reading, grouped_sessions), share: share(grouped_sessions) },
    ],
  }
}

interface CountContext {
  evidence: EvidenceStore
  derived: { answers: ValueCache }
}

/** Reads the counts in one statement, and then the names, on which no count depends. */
export async function countJourneys(
  ctx: CountContext,
  scope: TrackerScope,
  limit: number,
  limits?: StatementLimits,
): Promise<JourneyCount> {
  if (isEmptyScope(scope)) return NOTHING
  const [counts] = await ctx.evidence.all(journeyCounts(scope, { limit, floor: JOURNEY_FLOOR }), limits)
  if (counts === undefined) return NOTHING
  const journeys = [...new Set(counts.first.map(({ journey }) => journey))]
  const named = await nameJourneys(ctx, scope, journeys, limits)
  return {
    closed_sessions: counts.closed,
    grouped_sessions: counts.grouped,
    total_count: counts.sequences,
    sequences: counts.first.map(({ journey, is_continued, sessions }) => ({
      pages: named(journey),
      continued: is_continued === 1,
      sessions: Number(sessions),
    })),
  }
}

async function nameJourneys(
  ctx: CountContext,
  scope: TrackerScope,
  journeys: readonly string[],
  limits?: StatementLimits,
): Promise<(journey: string) => PageName[]> {
  if (journeys.length === 0) return () => []
  const sequences = await findPages(ctx, scope, journeys, limits)
  const page_ids = [...new Set([...sequences.values()].flat())]
  const rows = await ctx.evidence.all(namesOfVisitedPages(scope.site_id, page_ids), limits)
  const names = new Map(rows.map(({ page_id, ...name }) => [page_id, name]))
  return (journey) =>
    (sequences.get(journey) ?? []).map((page_id) => {
      const name = names.get(page_id)
      if (name === undefined) throw new Error(`Page ${page_id} of a journey has no name.`)
      return name
    })
}

/** The pages of each journey. They can be cached, because the key of a journey is a hash of its pages. */
async function findPages(
  { evidence, derived: { answers } }: CountContext,
  scope: TrackerScope,
  journeys: readonly string[],
  limits?: StatementLimits,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const keyOf = (journey: string) => `journey ${scope.site_id} ${journey}`
  const found = new Map<string, readonly string[]>()
  for (const journey of journeys) {
    const pages = answers.get<readonly string[]>(keyOf(journey))
    if (pages !== undefined) found.set(journey, pages)
  }
  for (const read of [
    ...(scope.builds.length > 0 ? [pagesOfJourneys] : []),
    ...(scope.fact_days.length > 0 ? [pagesOfFacts] : []),
  ]) {
    const unknown = journeys.filter((journey) => !found.has(journey))
    if (unknown.length === 0) break
    for (const { journey, pages } of await evidence.all(read(scope, unknown), limits)) {
      found.set(journey, pages)
      answers.set(keyOf(journey), pages, BYTES_A_JOURNEY + pages.length * BYTES_A_PAGE)
    }
  }
  return found
}

const BYTES_A_JOURNEY = 200
const BYTES_A_PAGE = 50

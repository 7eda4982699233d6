/** Where sessions came from: channels, assistants, referrers and the five UTM dimensions (rules 6, Channels). */
import { SOURCE_ROWS } from '#contract/site-api/analytics-sources.ts'
import type { AnalyticsSources, AnalyticsSourcesInput } from '#contract/site-api/index.ts'
import type { Row } from '#evidence/sql.ts'
import { AI_PLATFORMS_VERSION } from './acquisition/ai-platforms.ts'
import { aiReferralOf, channelOf, isOwnHost } from './acquisition/channels.ts'
import { type DIMENSIONS, sourceCounts } from './analytics-sources.sql.ts'
import type { TrackerContext } from './context.ts'
import { envelope } from './coverage/envelope.ts'
import { type OpenedReading, openTrackerReading } from './coverage/open-reading.ts'
import { publishCount } from './coverage/publish.ts'
import { withEvidence } from './coverage/with-evidence.ts'
import { isEmptyScope } from './scope.ts'

/** Past this many different beginnings the rest is of an unknown channel, and the answer says so. */
const MOST_ORIGINS = 20_000

/** What no referrer can tell, in every answer: AI counts are a lower bound (decisions 5). */
const LIMITATIONS = ['ai_answers_on_search_pages_count_as_search', 'visits_without_referrer_hide_their_source']
const BEYOND = 'rare_origins_not_labelled'

type SourceCount = Row<ReturnType<typeof sourceCounts>>
type UtmDimension = Exclude<(typeof DIMENSIONS)[number], 'origin'>

/** Sessions that began alike, labelled once. */
interface Began {
  referrer_host: string
  channel: ReturnType<typeof channelOf>
  referral: ReturnType<typeof aiReferralOf>
  sessions: number
  pageviews: number
}

export async function readAnalyticsSources(
  ctx: TrackerContext,
  input: Pick<AnalyticsSourcesInput, 'window'>,
): Promise<AnalyticsSources> {
  const reading = await openTrackerReading(ctx, { window: input.window, reader: 'sources' })
  return withEvidence(
    reading,
    async (limits) => {
      const isEmpty = !reading.has_evidence || isEmptyScope(reading.scope)
      const asked = { origins: MOST_ORIGINS, values: SOURCE_ROWS }
      const counts = isEmpty ? [] : await ctx.evidence.all(sourceCounts(reading.scope, asked), limits)
      return present(ctx, input, reading, counts)
    },
    (unread) => present(ctx, input, unread, []),
  )
}

function present(
  { site }: TrackerContext,
  { window }: Pick<AnalyticsSourcesInput, 'window'>,
  reading: OpenedReading,
  counts: readonly SourceCount[],
): AnalyticsSources {
  const origins = counts.filter(({ dimension }) => dimension === 'origin')
  const began = origins.map((row) => label(row, site.root_domain))
  const beyond = beyondLimit(origins)
  const told = <T>(rows: () => T): T | null => (reading.has_evidence ? rows() : null)
  const block = (dimension: UtmDimension) => utmBlock(reading, counts, dimension)
  return {
    meta: envelope(reading, {
      contract_version: 'analytics-sources/v1',
      evaluator_version: 'sessions/v1',
      preset: window,
      limitations: [...LIMITATIONS, ...(beyond.length === 0 ? [] : [BEYOND])],
    }),
    acquisition: told(() => acquisition([...began, ...beyond])),
    ai_referral: told(() => aiReferral(began)),
    ai_platforms_version: AI_PLATFORMS_VERSION,
    referrers: referrers(reading, began, { domain: site.root_domain, is_cut: beyond.length > 0 }),
    utm: {
      source: block('source'),
      medium: block('medium'),
      campaign: block('campaign'),
      term: block('term'),
      content: block('content'),
    },
  }
}

function label({ identity, sessions, pageviews }: SourceCount, domain: string): Began {
  const [has_pageview, referrer_host = '', has_click_id, utm_source = '', utm_medium = '', has_utm] = identity
  const origin = {
    has_pageview: has_pageview === '1',
    referrer_host,
    has_click_id: has_click_id === '1',
    utm_source,
    utm_medium,
    has_utm: has_utm === '1',
  }
  return { referrer_host, channel: channelOf(origin, domain), referral: aiReferralOf(origin), sessions, pageviews }
}

/** Sessions whose beginnings are too rare and too many to be labelled one by one: none, or one row that stands for them. */
function beyondLimit(origins: readonly SourceCount[]): Began[] {
  const [first] = origins
  if (first === undefined || first.total_rows <= origins.length) return []
  const sessions = first.total_sessions - origins.reduce((sum, row) => sum + row.sessions, 0)
  const pageviews = first.total_pageviews - origins.reduce((sum, row) => sum + row.pageviews, 0)
  return [{ referrer_host: '', channel: 'unknown', referral: null, sessions, pageviews }]
}

const acquisition = (began: readonly Began[]) =>
  addUp(began, ({ channel }) => [channel] as const).map(({ key: [channel], ...counts }) => ({ channel, ...counts }))

const aiReferral = (began: readonly Began[]) =>
  addUp(began, ({ referral }) => (referral === null ? null : ([referral.platform, referral.evidence] as const))).map(
    ({ key: [platform, evidence], ...counts }) => ({ platform, evidence, ...counts }),
  )

/** `is_cut`: among the beginnings that are not labelled may be other hosts, and nobody counted them. */
function referrers(
  reading: OpenedReading,
  began: readonly Began[],
  { domain, is_cut }: { domain: string; is_cut: boolean },
): AnalyticsSources['referrers'] {
  const all = addUp(began, ({ referrer_host, channel }) => {
    const isOther = referrer_host !== '' && !isOwnHost(referrer_host, domain)
    return isOther ? ([referrer_host, channel] as const) : null
  }).map(({ key: [referrer_host, channel], ...counts }) => ({ referrer_host, channel, ...counts }))
  return {
    total_count: is_cut ? null : publishCount(reading, all.length),
    truncated: is_cut || all.length > SOURCE_ROWS,
    rows: all.slice(0, SOURCE_ROWS),
  }
}

function utmBlock(
  reading: OpenedReading,
  counts: readonly SourceCount[],
  dimension: UtmDimension,
): AnalyticsSources['utm'][UtmDimension] {
  const found = counts.filter((row) => row.dimension === dimension)
  const [first] = found
  return {
    denominator: publishCount(reading, first === undefined ? 0 : first.total_sessions),
    total_count: publishCount(reading, first === undefined ? 0 : first.total_rows),
    truncated: first !== undefined && first.total_rows > found.length,
    rows: found.map(({ identity, sessions, pageviews }) => ({ value: String(identity[0]), sessions, pageviews })),
  }
}

/** Sums by key, most sessions first, then by key; what has no key is left out. */
function addUp<K extends readonly string[]>(began: readonly Began[], keyOf: (row: Began) => K | null) {
  const sums = new Map<string, { key: K; sessions: number; pageviews: number }>()
  for (const row of began) {
    const key = keyOf(row)
    if (key === null) continue
    const id = JSON.stringify(key)
    const { sessions, pageviews } = row
    const sum = sums.get(id)
    if (sum === undefined) sums.set(id, { key, sessions, pageviews })
    else {
      sum.sessions += sessions
      sum.pageviews += pageviews
    }
  }
  return [...sums.entries()]
    .sort(([a, one], [b, other]) => other.sessions - one.sessions || (a < b ? -1 : 1))
    .map(([, sum]) => sum)
}

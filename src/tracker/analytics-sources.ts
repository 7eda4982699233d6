/** Where sessions came from: channels, assistants, referrers and the five UTM dimensions (rules 6, Channels). */
import { SOURCE_ROWS } from '#contract/site-api/analytics-sources.ts'
import type { AnalyticsSources, AnalyticsSourcesInput } from '#contract/site-api/index.ts'
import { AI_PLATFORMS_VERSION } from './acquisition/ai-platforms.ts'
import { aiReferralOf, channelOf, isOwnReferrer } from './acquisition/channels.ts'
import { countSources, noSources, type SourceList, type SourceLists } from './acquisition/count-sources.ts'
import { oldOrigins, RARE_ORIGINS, readOrigin } from './acquisition/origins.sql.ts'
import type { TrackerContext } from './context.ts'
import { envelope } from './coverage/envelope.ts'
import { type OpenedReading, openTrackerReading } from './coverage/open-reading.ts'
import { publishCount } from './coverage/publish-count.ts'
import { withEvidence } from './coverage/with-evidence.ts'
import type { Including } from './development/include.ts'

/** Limitations of every answer: referrers do not show all visits from assistants (decisions 5). */
const LIMITATIONS = ['ai_answers_on_search_pages_count_as_search', 'visits_without_referrer_hide_their_source']

type UtmBlock = AnalyticsSources['utm']['source']

/** Sessions with the same origin, labelled once. */
interface Began {
  referrer_host: string
  channel: ReturnType<typeof channelOf>
  referral: ReturnType<typeof aiReferralOf>
  sessions: number
  pageviews: number
}

export async function readAnalyticsSources(
  ctx: TrackerContext,
  input: Pick<AnalyticsSourcesInput, 'window'> & Including,
): Promise<AnalyticsSources> {
  const { window, include } = input
  const reading = await openTrackerReading(ctx, { window, include, reader: 'sources' })
  return withEvidence(
    ctx,
    reading,
    async (evidence, limits) => {
      const asked = { values: SOURCE_ROWS, ...limits }
      const counts = reading.has_evidence ? await countSources(evidence, reading.scope, asked) : noSources()
      return present(ctx, input, reading, counts)
    },
    (unread) => present(ctx, input, unread, noSources()),
  )
}

function present(
  { site }: TrackerContext,
  { window }: Pick<AnalyticsSourcesInput, 'window'>,
  reading: OpenedReading,
  counts: SourceLists,
): AnalyticsSources {
  const began = counts.origin.rows.map((row) => label(row, site.root_domain))
  const beyond = beyondLimit(counts.origin)
  const published = <T>(rows: () => T): T | null => (reading.has_evidence ? rows() : null)
  return {
    meta: envelope(reading, {
      contract_version: 'analytics-sources/v1',
      evaluator_version: 'sessions/v1',
      preset: window,
      limitations: [...LIMITATIONS, ...(beyond.length === 0 ? [] : [RARE_ORIGINS]), ...oldOrigins(reading)],
    }),
    acquisition: published(() => acquisition([...began, ...beyond])),
    ai_referral: published(() => aiReferral(began)),
    ai_platforms_version: AI_PLATFORMS_VERSION,
    referrers: referrers(reading, began, { domain: site.root_domain, is_cut: beyond.length > 0 }),
    utm: {
      source: utmBlock(reading, counts.utm_source),
      medium: utmBlock(reading, counts.utm_medium),
      campaign: utmBlock(reading, counts.utm_campaign),
      term: utmBlock(reading, counts.utm_term),
      content: utmBlock(reading, counts.utm_content),
    },
  }
}

function label({ identity, sessions, pageviews }: SourceList['rows'][number], domain: string): Began {
  const origin = readOrigin(identity)
  const { referrer_host } = origin
  return { referrer_host, channel: channelOf(origin, domain), referral: aiReferralOf(origin), sessions, pageviews }
}

/** Sessions with origins too rare and too many to label one by one: none, or one row that stands for them. */
function beyondLimit({ rows, total_rows, total_sessions, total_pageviews }: SourceList): Began[] {
  if (total_rows <= rows.length) return []
  const sessions = total_sessions - rows.reduce((sum, row) => sum + row.sessions, 0)
  const pageviews = total_pageviews - rows.reduce((sum, row) => sum + row.pageviews, 0)
  return [{ referrer_host: '', channel: 'unknown', referral: null, sessions, pageviews }]
}

const acquisition = (began: readonly Began[]) =>
  addUp(began, ({ channel }) => [channel] as const).map(({ key: [channel], ...counts }) => ({ channel, ...counts }))

const aiReferral = (began: readonly Began[]) =>
  addUp(began, ({ referral }) => (referral === null ? null : ([referral.platform, referral.evidence] as const))).map(
    ({ key: [platform, evidence], ...counts }) => ({ platform, evidence, ...counts }),
  )

/** `is_cut`: among the beginnings that are not labelled may be other hosts, which are not counted. */
function referrers(
  reading: OpenedReading,
  began: readonly Began[],
  { domain, is_cut }: { domain: string; is_cut: boolean },
): AnalyticsSources['referrers'] {
  const all = addUp(began, ({ referrer_host, channel }) => {
    const isOther = referrer_host !== '' && !isOwnReferrer(referrer_host, domain)
    return isOther ? ([referrer_host, channel] as const) : null
  }).map(({ key: [referrer_host, channel], ...counts }) => ({ referrer_host, channel, ...counts }))
  return {
    total_count: is_cut ? null : publishCount(reading, all.length),
    truncated: is_cut || all.length > SOURCE_ROWS,
    rows: all.slice(0, SOURCE_ROWS),
  }
}

function utmBlock(reading: OpenedReading, { rows, total_rows, total_sessions }: SourceList): UtmBlock {
  return {
    denominator: publishCount(reading, total_sessions),
    total_count: publishCount(reading, total_rows),
    truncated: total_rows > rows.length,
    rows: rows.map(({ identity, sessions, pageviews }) => ({ value: identity, sessions, pageviews })),
  }
}

/** Sums by key, most sessions first, then by key; what has no key is left out. */
function addUp<K extends readonly string[]>(began: readonly Began[], keyOf: (row: Began) => K | null) {
  const sums = new Map<string, { key: K; sessions: number; pageviews: number }>()
  for (const row of began) {
    const key = keyOf(row)
    if (key === null) continue
    // Hosts and labels hold no blank.
    const id = key.join(' ')
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

import type { CONVERSION_DIMENSIONS } from '../../../src/contract/site-api/conversions.ts'
import type { AnalyticsConversions } from '../../../src/contract/site-api/index.ts'
import type { Channel } from '../../../src/contract/vocabulary.ts'
import { BarList } from '../../charts/bar-list.tsx'
import { shortText } from '../../words/foreign-text.ts'
import { CHANNEL_WORDS, channelColor, platformWords } from '../../words/tracker.ts'

type Dimension = (typeof CONVERSION_DIMENSIONS)[number]
type Row = AnalyticsConversions['conversions'][number]

const DIMENSION_WORDS: Record<Dimension, string> = {
  channel: 'Channel',
  ai_platform: 'AI assistant',
  utm_source: 'Tag: source',
  utm_medium: 'Tag: medium',
  utm_campaign: 'Tag: campaign',
  utm_term: 'Tag: term',
  utm_content: 'Tag: content',
}
const DIMENSIONS = Object.keys(DIMENSION_WORDS) as Dimension[]

/** The sources of converted sessions, by dimension. Numbers of different dimensions cannot be added. */
export function ConversionSources({ row: { sources, sources_truncated, metrics } }: { row: Row }) {
  const shown = DIMENSIONS.flatMap((dimension) => {
    const rows = sources.filter((source) => source.dimension === dimension)
    return rows.length === 0 ? [] : [{ dimension, rows }]
  })
  if (shown.length === 0) {
    return (
      <p className="text-ink2">
        {metrics.converted_sessions === null
          ? 'Where converted sessions came from is unknown.'
          : 'No session converted in this window.'}
      </p>
    )
  }
  return (
    <div className="space-y-10">
      {shown.map(({ dimension, rows }) => (
        <section key={dimension}>
          <h3 className="mb-2 text-small text-ink3">{DIMENSION_WORDS[dimension]}</h3>
          <BarList
            unit="converted sessions"
            total={metrics.converted_sessions}
            rows={rows.map(({ identity, converted_sessions }) => ({
              key: identity,
              label: identityWords(dimension, identity),
              count: converted_sessions,
              color: channelColor(
                dimension === 'ai_platform' ? 'ai_assistant' : dimension === 'channel' ? identity : '',
              ),
            }))}
          />
        </section>
      ))}
      {sources_truncated && <p className="text-small text-ink2">Each list is cut at 100 rows.</p>}
    </div>
  )
}

function identityWords(dimension: Dimension, identity: string): string {
  if (dimension === 'channel') return CHANNEL_WORDS[identity as Channel] ?? identity
  return shortText(dimension === 'ai_platform' ? platformWords(identity) : identity, 64)
}

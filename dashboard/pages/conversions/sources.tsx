import type { CONVERSION_DIMENSIONS } from '../../../src/contract/site-api/conversions.ts'
import type { AnalyticsConversions } from '../../../src/contract/site-api/index.ts'
import type { Channel } from '../../../src/contract/vocabulary.ts'
import { BarList } from '../../charts/bar-list.tsx'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import { trackerSentences } from '../../evidence/tracker-sentences.ts'
import { Value } from '../../evidence/value.tsx'
import { csvOfTracker } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import type { Column } from '../../tables/table-types.ts'
import { shortText } from '../../words/foreign-text.ts'
import { percent } from '../../words/numbers.ts'
import { CHANNEL_WORDS, channelColor, platformWords, QUALITY_WORDS } from '../../words/tracker.ts'

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

const TITLE = 'Converted sessions by source'

/** The sources of converted sessions, by dimension. Numbers of different dimensions cannot be added. */
export function ConversionSources({ row, meta }: { row: Row; meta: AnalyticsConversions['meta'] }) {
  const { sources, sources_truncated, metrics } = row
  const words = trackerSentences(meta, null)
  const evidence = [QUALITY_WORDS[metrics.quality], words.name, words.missing?.linked, words.as_of]
    .filter((part) => part !== undefined)
    .join(' · ')
  const columns = columnsOf(row, evidence)
  const none =
    metrics.converted_sessions === null
      ? 'Where converted sessions came from is unknown.'
      : 'No session converted in this window.'
  return (
    <ChartPanel
      title={TITLE}
      controls={<span className="text-small text-ink3">revision {row.revision}</span>}
      file_name="conversion-sources"
      evidence={evidence}
      csv={() => csvOfTracker(meta, columns, sources)}
      chart={sources.length === 0 ? <p className="text-ink2">{none}</p> : <SourceBars row={row} />}
      table={
        <DataTable
          caption={TITLE}
          columns={columns}
          rows={sources}
          rowKey={({ dimension, identity }) => `${dimension} ${identity}`}
          total={sources_truncated ? null : sources.length}
          truncated={sources_truncated}
          empty={none}
        />
      }
    />
  )
}

function SourceBars({ row: { sources, sources_truncated, metrics } }: { row: Row }) {
  const shown = DIMENSIONS.flatMap((dimension) => {
    const rows = sources.filter((source) => source.dimension === dimension)
    return rows.length === 0 ? [] : [{ dimension, rows }]
  })
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
              color: colorOf(dimension, identity),
            }))}
          />
        </section>
      ))}
      {sources_truncated && <p className="text-small text-ink2">Each list is cut at 100 rows.</p>}
    </div>
  )
}

/** Assistants have the colour of their channel, and tags that of no channel. */
function colorOf(dimension: string, identity: string) {
  if (dimension === 'ai_platform') return channelColor('ai_assistant')
  return channelColor(dimension === 'channel' ? identity : '')
}

function columnsOf({ metrics: { converted_sessions: all } }: Row, evidence: string): Column<Row['sources'][number]>[] {
  const shareOf = (sessions: number) => (all === null || all === 0 ? null : sessions / all)
  return [
    {
      key: 'source',
      head: 'Source',
      cell: ({ dimension, identity }) => identityWords(dimension, identity),
      csv: { name: 'identity', value: ({ identity }) => identity },
      phone: 'name',
    },
    {
      key: 'dimension',
      head: 'Kind',
      cell: ({ dimension }) => DIMENSION_WORDS[dimension],
      csv: { name: 'dimension', value: ({ dimension }) => dimension },
      phone: 'tag',
    },
    {
      key: 'converted_sessions',
      head: 'Converted sessions',
      is_number: true,
      cell: ({ converted_sessions }) => <Value value={converted_sessions} />,
      csv: { name: 'converted_sessions', value: ({ converted_sessions }) => converted_sessions },
      phone: 'value',
    },
    {
      key: 'share',
      head: 'Share',
      is_number: true,
      cell: ({ converted_sessions }) => <Value value={shareOf(converted_sessions)} format={percent} />,
      csv: { name: 'share', value: ({ converted_sessions }) => shareOf(converted_sessions) },
      phone: 'bar',
    },
    {
      key: 'evidence',
      head: 'Evidence',
      // The rest is in the evidence line of the page.
      cell: () => (
        <span title={evidence} className="text-small text-ink2">
          {evidence.split(' · ', 1)}
        </span>
      ),
      csv: { name: 'evidence', value: () => evidence },
    },
  ]
}

function identityWords(dimension: Dimension, identity: string): string {
  if (dimension === 'channel') return CHANNEL_WORDS[identity as Channel] ?? identity
  return shortText(dimension === 'ai_platform' ? platformWords(identity) : identity, 64)
}

import type { AnalyticsSources } from '../../../src/contract/site-api/index.ts'
import { BarList } from '../../charts/bar-list.tsx'
import { type PartRow, PartsPanel } from '../../charts/parts-panel.tsx'
import { trackerSentences } from '../../evidence/tracker-sentences.ts'
import { Value } from '../../evidence/value.tsx'
import { csvOfTracker } from '../../tables/csv.ts'
import { CHANNEL_WORDS, channelColor } from '../../words/tracker.ts'

type Channels = NonNullable<AnalyticsSources['acquisition']>

export const channelParts = (rows: Channels): PartRow[] =>
  rows.map(({ channel, sessions, pageviews }) => ({
    key: channel,
    label: CHANNEL_WORDS[channel],
    count: sessions,
    detail: pageviews,
  }))

/** Each session is in one channel. The channel with the most sessions comes first. */
export function ChannelsPanel({ answer: { acquisition, meta } }: { answer: AnalyticsSources }) {
  const total = acquisition?.reduce((sum, { sessions }) => sum + sessions, 0) ?? null
  const rows = acquisition?.toSorted((a, b) => b.sessions - a.sessions) ?? []
  const words = trackerSentences(meta, null)
  const empty =
    acquisition === null ? 'Where sessions came from is unknown.' : 'No session was observed in the collected time.'
  return (
    <PartsPanel
      title="Channels"
      note={
        <>
          <Value value={total} /> sessions
        </>
      }
      file_name="channels"
      part={{ head: 'Channel', name: 'channel' }}
      count={{ head: 'Sessions', name: 'sessions' }}
      detail={{ head: 'Pageviews', name: 'pageviews', is_number: true }}
      parts={channelParts(rows)}
      total={total}
      empty={empty}
      evidence={[words.name, words.missing?.linked].filter((part) => part !== undefined).join(', ')}
      csv={acquisition === null ? null : (columns, parts) => csvOfTracker(meta, columns, parts)}
      chart={
        <>
          {rows.length === 0 && <p className="text-ink2">{empty}</p>}
          {rows.length > 0 && (
            <BarList
              unit="sessions"
              total={total}
              rows={rows.map(({ channel, sessions, pageviews }) => ({
                key: channel,
                label: CHANNEL_WORDS[channel],
                count: sessions,
                color: channelColor(channel),
                note: (
                  <>
                    <Value value={pageviews} /> pageviews
                  </>
                ),
              }))}
            />
          )}
          <p className="mt-6 text-small text-ink2">Clicks on AI answers in search results count as search.</p>
        </>
      }
    />
  )
}

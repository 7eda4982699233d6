import type { AnalyticsSources } from '../../../src/contract/site-api/index.ts'
import { BarList } from '../../charts/bar-list.tsx'
import { Value } from '../../evidence/value.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { CHANNEL_WORDS, channelColor } from '../../words/tracker.ts'

/** Every session once, most first. */
export function ChannelsPanel({ answer: { acquisition } }: { answer: AnalyticsSources }) {
  const total = acquisition?.reduce((sum, { sessions }) => sum + sessions, 0) ?? null
  return (
    <Panel
      title="Channels"
      note={
        <>
          <Value value={total} /> sessions
        </>
      }
    >
      <PanelBody>
        {acquisition === null && <p className="text-ink2">Where sessions came from is unknown.</p>}
        {acquisition?.length === 0 && (
          <p className="text-ink2">No session was observed in the time that was collected.</p>
        )}
        {acquisition !== null && acquisition.length > 0 && (
          <BarList
            unit="sessions"
            total={total}
            rows={acquisition
              .toSorted((a, b) => b.sessions - a.sessions)
              .map(({ channel, sessions, pageviews }) => ({
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
        <p className="mt-6 text-small text-ink2">Clicks from AI answers on search pages look like search.</p>
      </PanelBody>
    </Panel>
  )
}

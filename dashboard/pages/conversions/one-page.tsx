import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOfFilter } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { useSite } from '../../shell/use-site.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Figure, Figures } from '../../states/figures.tsx'
import { Panel } from '../../states/panel.tsx'
import { PanelColumn, PanelColumns } from '../../states/report-page.tsx'
import { TrackerPage } from '../../states/tracker-page.tsx'
import { countsSentence, matcherWords } from '../../words/definitions.ts'
import { shortText } from '../../words/foreign-text.ts'
import { percent } from '../../words/numbers.ts'
import { editorsOnly } from '../../words/refusals.ts'
import { QUALITY_WORDS, VALUE_QUALITIES } from '../../words/tracker.ts'
import { ArchiveConversion } from './archive.tsx'
import type { ConversionRow } from './columns.tsx'
import { EditConversion } from './edit.tsx'
import { ConversionRevisions } from './revisions.tsx'
import { ConversionSources } from './sources.tsx'

/** What makes up one conversion, and what did its earlier revisions count? */
export function ConversionPage() {
  const site = useSiteId()
  const role = useSite()?.role
  const { conversion } = useParams({ strict: false }) as { conversion: string }
  const filter = filterOf(useReportSearch())
  const query = useQuery(readQuery('getAnalyticsConversions', { site, window: filter.window }))
  const [mode, setMode] = useState<'edit' | 'archive' | null>(null)
  const revisions = query.data?.conversions
    .filter(({ conversion_id }) => conversion_id === conversion)
    .toSorted((a, b) => b.revision - a.revision)
  const current = revisions?.[0]
  const forbidden = editorsOnly(role)
  return (
    <TrackerPage
      title={current === undefined ? 'Conversion' : shortText(current.name)}
      above={
        <PageLink
          to="/sites/$site/conversions"
          params={{ site }}
          search={searchOfFilter(filter)}
          className="hover:underline"
        >
          Conversions
        </PageLink>
      }
      meta={query.data?.meta}
      note={current === undefined ? undefined : countsSentence(matcherWords(current.matcher))}
      controls={
        <>
          <WindowPicker />
          {current?.definition_state === 'active' && (
            <>
              <Button forbidden={forbidden} onClick={() => setMode('edit')}>
                Edit
              </Button>
              <Button forbidden={forbidden} onClick={() => setMode('archive')}>
                Archive
              </Button>
            </>
          )}
        </>
      }
    >
      {current !== undefined && mode === 'edit' && <EditConversion row={current} onClose={() => setMode(null)} />}
      {current !== undefined && mode === 'archive' && <ArchiveConversion row={current} onClose={() => setMode(null)} />}
      <Async
        query={query}
        skeleton={
          <Panel title="Conversion">
            <SkeletonRows rows={6} />
          </Panel>
        }
      >
        {({ meta }) =>
          revisions === undefined || current === undefined ? (
            <NotInForce conversion={conversion} is_truncated={meta.pagination.truncated} />
          ) : (
            <>
              <ConversionFigures row={current} />
              <PanelColumns>
                <ConversionRevisions revisions={revisions} />
                <PanelColumn>
                  <ConversionSources row={current} meta={meta} />
                </PanelColumn>
              </PanelColumns>
            </>
          )
        }
      </Async>
    </TrackerPage>
  )
}

/** Why the answer has no revision of it. */
function NotInForce({ conversion, is_truncated }: { conversion: string; is_truncated: boolean }) {
  const site = useSiteId()
  const query = useQuery(readQuery('conversion.list', { site }))
  return (
    <Async query={query} skeleton={<SkeletonRows rows={1} />}>
      {({ conversions }) => {
        const name = conversions.find(({ id }) => id === conversion)?.name
        return <p className="text-ink2">{absenceWords(name, is_truncated)}</p>
      }}
    </Async>
  )
}

function absenceWords(name: string | undefined, is_truncated: boolean): string {
  if (name === undefined) return 'The site has no such conversion.'
  return is_truncated
    ? `The first 100 revisions of this window have none of ${shortText(name)}.`
    : `No revision of ${shortText(name)} was in force in this window.`
}

export function ConversionFigures({ row: { metrics, revision } }: { row: ConversionRow }) {
  const quality = VALUE_QUALITIES[metrics.quality]
  return (
    <Figures label="Figures">
      <Figure
        label="Converted sessions"
        value={metrics.converted_sessions}
        quality={quality}
        note={`revision ${revision}, ${QUALITY_WORDS[metrics.quality]}`}
      />
      <Figure
        label="Events"
        value={metrics.conversion_events}
        quality={quality}
        note="including events of your servers"
      />
      <Figure
        label="Rate"
        value={metrics.rate}
        format={percent}
        not_defined={metrics.sessions === 0 ? 'no session in this window' : undefined}
        note="of all sessions"
      />
      <Figure label="Sessions" value={metrics.sessions} note="of the window" />
    </Figures>
  )
}

import { useMemo, useRef } from 'react'
import type { AnalyticsJourneys } from '../../../src/contract/site-api/index.ts'
import { counted, fullCount } from '../../words/numbers.ts'
import { ChartGroup } from '../chart-group.tsx'
import { ChartTooltip, TooltipRow, TooltipTitle } from '../chart-tooltip.tsx'
import type { MarkAt } from '../marks.ts'
import { useWidth } from '../use-width.ts'
import { columnsOf, layOut, NODE_WIDTH, type PlacedNode } from './flow-layout.ts'
import { FlowPicture } from './flow-picture.tsx'
import { MAX_NEIGHBOURS, type Neighbour, neighboursOf, pageName, pageSentence } from './flow-words.ts'
import { type Flow, flowOf, groupOf, sequencesOf } from './journey-links.ts'

const COLUMNS = 5
const NARROW_COLUMNS = 3
const NARROW = 560

interface JourneyFlowProps {
  /** Heading of the panel. */
  title: string
  answer: Pick<AnalyticsJourneys, 'journeys' | 'closed_sessions' | 'grouping_threshold'>
}

/** The paths of sessions, column by column. Sequences that are grouped for privacy are in a separate band. */
export default function JourneyFlow({ title, answer }: JourneyFlowProps) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame, 900)
  const longest = Math.max(1, ...sequencesOf(answer.journeys).map(({ pages }) => pages.length))
  const columns = Math.min(longest, width < NARROW ? NARROW_COLUMNS : COLUMNS)
  const flow = useMemo(() => flowOf(answer.journeys, columns), [answer.journeys, columns])
  const group = groupOf(answer.journeys)
  const drawn = columns < longest ? `The first ${columns} pages of each sequence.` : 'All pages of each sequence.'
  const closed =
    answer.closed_sessions === null ? 'Closed sessions unknown' : counted(answer.closed_sessions, 'closed session')
  return (
    <div ref={frame}>
      {flow.nodes.length > 0 && <FlowChart name={`${title}. ${closed}. ${drawn}`} {...{ flow, columns, width }} />}
      <p className="mt-4 text-small text-ink2">
        {drawn}
        {flow.all_links > flow.links.length && ` The ${flow.links.length} widest of ${flow.all_links} links are drawn.`}
      </p>
      {group !== null && group.sessions !== null && group.sessions > 0 && (
        <div className="mt-6 rounded-control border border-dotted border-control px-6 py-4 text-dense">
          Sequences of fewer than {answer.grouping_threshold} sessions are grouped: {counted(group.sessions, 'session')}
          .
        </div>
      )}
    </div>
  )
}

interface FlowChartProps {
  name: string
  flow: Flow
  columns: number
  width: number
}

function FlowChart({ name, flow, columns, width }: FlowChartProps) {
  const graph = useMemo(() => layOut(flow, width, columns), [flow, width, columns])
  const pages = useMemo(() => columnsOf(graph), [graph])
  const pageAt = ({ column, row }: MarkAt): PlacedNode | undefined => pages[column]?.[row ?? 0]
  const placeOf = (id: string): MarkAt | null => {
    const column = pages.findIndex((own) => own.some((page) => page.id === id))
    const row = pages[column]?.findIndex((page) => page.id === id)
    return row === undefined ? null : { column, row }
  }
  return (
    <ChartGroup
      name={name}
      hint="Left and right read the columns, up and down their pages."
      shape={{ columns: pages.length, rows: (column) => pages[column]?.length ?? 0, up: -1 }}
      reading={(at) => {
        const page = pageAt(at)
        return page === undefined ? '' : pageSentence(flow, page)
      }}
      markAt={({ target }) => placeOf(target.closest('[data-page]')?.getAttribute('data-page') ?? '')}
    >
      {(active) => {
        const page = active === null ? undefined : pageAt(active)
        return (
          <>
            <FlowPicture {...{ graph, columns, width }} active={page?.id ?? null} />
            {page !== undefined && (
              <ChartTooltip
                middle={(page.x0 ?? 0) + NODE_WIDTH / 2}
                width={width}
                top={page.y0 ?? 0}
                bottom={Math.max(page.y1 ?? 0, (page.y0 ?? 0) + 2)}
              >
                <PageTooltip flow={flow} page={page} />
              </ChartTooltip>
            )}
          </>
        )
      }}
    </ChartGroup>
  )
}

function PageTooltip({ flow, page }: { flow: Flow; page: PlacedNode }) {
  const { before, after } = neighboursOf(flow, page.id)
  return (
    <>
      <TooltipTitle note={`page ${page.column + 1}`}>{pageName(page)}</TooltipTitle>
      <TooltipRow label="Sessions" value={fullCount(page.sessions)} is_strong />
      <Neighbours label="From" pages={before} />
      <Neighbours label="To" pages={after} />
    </>
  )
}

const Neighbours = ({ label, pages }: { label: string; pages: readonly Neighbour[] }) => (
  <>
    {pages.slice(0, MAX_NEIGHBOURS).map(({ id, name, sessions }) => (
      <TooltipRow key={id} label={`${label} ${name}`} value={fullCount(sessions)} />
    ))}
    {pages.length > MAX_NEIGHBOURS && <p className="text-ink3">and {pages.length - MAX_NEIGHBOURS} more</p>}
  </>
)

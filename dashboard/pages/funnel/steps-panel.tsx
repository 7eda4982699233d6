import { barsOf, type Funnel, type FunnelBar } from '../../charts/funnel/funnel-steps.ts'
import { Value } from '../../evidence/value.tsx'
import { Panel } from '../../states/panel.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import type { Column } from '../../tables/table-types.ts'
import { percent } from '../../words/numbers.ts'
import { QUALITY_WORDS, VALUE_QUALITIES } from '../../words/tracker.ts'

const rateQuality = ({ quality }: FunnelBar) => (quality === 'suppressed' ? 'withheld' : 'exact')

export const STEP_COLUMNS: Column<FunnelBar>[] = [
  {
    key: 'step',
    head: 'Step',
    phone: 'hidden',
    csv: { name: 'position', value: ({ position }) => position },
    cell: ({ position }) => position,
  },
  {
    key: 'what',
    head: 'What counts',
    phone: 'name',
    csv: { name: 'definition', value: ({ note, words }) => `${note} ${words}` },
    cell: ({ position, kind, words, note }) => (
      <>
        <span className="tablet:hidden">{position} · </span>
        {kind === 'page' ? (
          <bdi dir="ltr" className="font-mono text-code">
            <span className="text-ink3">{note}</span>
            {words}
          </bdi>
        ) : (
          <>
            <span className="font-medium">{words}</span> <span className="text-small text-ink3">{note}</span>
          </>
        )}
      </>
    ),
  },
  {
    key: 'reached',
    head: 'Reached',
    is_number: true,
    phone: 'value',
    csv: { name: 'reached_sessions', value: ({ reached }) => reached },
    cell: ({ reached, quality }) => <Value value={reached} quality={VALUE_QUALITIES[quality]} />,
  },
  {
    key: 'previous',
    head: 'From previous',
    is_number: true,
    csv: { name: 'rate_from_previous', value: ({ rate }) => rate },
    cell: (row) => <Rate rate={row.rate} is_undefined={row.position === 1 || row.reached !== null} row={row} />,
  },
  {
    key: 'entered',
    head: 'Of entered',
    is_number: true,
    phone: 'bar',
    cell: (row) => <Rate rate={row.of_entered} is_undefined={row.reached !== null} row={row} />,
  },
  {
    key: 'quality',
    head: 'Quality',
    width: 'tablet:pl-12',
    phone: 'tag',
    csv: { name: 'reached_quality', value: ({ quality }) => quality },
    cell: ({ quality }) => <span className="text-ink2">{QUALITY_WORDS[quality]}</span>,
  },
]

/** A share of zero sessions is not defined; a share of unknown numbers is unknown. */
function Rate({ rate, is_undefined, row }: { rate: number | null; is_undefined: boolean; row: FunnelBar }) {
  if (rate === null && is_undefined) return <span className="text-ink2">not defined</span>
  return <Value value={rate} format={percent} quality={rateQuality(row)} />
}

export const StepsPanel = ({ funnel }: { funnel: Funnel }) => (
  <Panel title="Steps">
    <DataTable
      caption="Steps of the funnel"
      columns={STEP_COLUMNS}
      rows={barsOf(funnel)}
      rowKey={({ position }) => String(position)}
      total={funnel.steps.length}
    />
  </Panel>
)

import type { Issue } from '../../../src/contract/site-api/index.ts'
import { Value } from '../../evidence/value.tsx'
import { Panel } from '../../states/panel.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import { PathText } from '../../tables/path-text.tsx'
import type { Column } from '../../tables/table-types.ts'
import { instantText, spanText } from '../../words/days.ts'
import type { ShownIssue } from './page.tsx'
import { useInspections } from './use-inspections.ts'

type Ref = Issue['evidence_refs'][number]

/** Evidence of the issue: sums of observed requests, and inspections by this service. */
export function Evidence({ shown }: { shown: ShownIssue }) {
  const inspections = new Map(shown.inspections.map((inspection) => [inspection.id, inspection]))
  const recent = useInspections()
  const columns: Column<Ref>[] = [
    {
      key: 'kind',
      head: 'Kind',
      cell: ({ kind }) => (
        <span className="whitespace-nowrap">{kind === 'inspection' ? 'Inspection' : 'Requests, by day'}</span>
      ),
    },
    {
      key: 'what',
      head: 'What',
      phone: 'hidden',
      cell: (ref) => {
        if (ref.kind !== 'inspection') return <PathText host={ref.host} path={ref.path_key} length={48} />
        const inspected = recent.get(ref.id)
        return inspected === undefined ? (
          <code className="font-mono text-code">{ref.id.slice(0, 8)}</code>
        ) : (
          <PathText host={inspected.host} path={inspected.path} length={48} />
        )
      },
    },
    {
      key: 'status',
      head: 'Status',
      is_number: true,
      phone: 'bar',
      cell: (ref) => (
        <span className="text-ink2">
          {ref.kind === 'inspection' ? inspectedStatus(recent.get(ref.id)) : ref.status}
        </span>
      ),
    },
    {
      key: 'count',
      head: 'Count',
      is_number: true,
      phone: 'value',
      cell: (ref) => (ref.kind === 'inspection' ? '' : <Value value={ref.count} />),
    },
    {
      key: 'window',
      head: 'Window, UTC',
      phone: 'tag',
      width: 'tablet:pl-12',
      cell: (ref) => (
        <span className="text-ink2">{windowText(ref, inspections.get(ref.kind === 'inspection' ? ref.id : ''))}</span>
      ),
    },
  ]
  return (
    <Panel title="Evidence">
      <DataTable
        caption="Evidence of the issue"
        columns={columns}
        rows={shown.issue.evidence_refs}
        rowKey={(ref) =>
          ref.kind === 'inspection' ? ref.id : `${ref.host}${ref.path_key} ${ref.status} ${ref.window}`
        }
        total={shown.issue.evidence_refs.length}
      />
    </Panel>
  )
}

/** Empty until the inspection has ended and been read. */
function inspectedStatus(inspected: ReturnType<ReturnType<typeof useInspections>['get']>): string {
  if (inspected === undefined || inspected.ended_at === null) return ''
  return inspected.final_status === null ? 'no response' : String(inspected.final_status)
}

function windowText(ref: Ref, inspection: ShownIssue['inspections'][number] | undefined): string {
  if (ref.kind !== 'inspection') {
    const [from = '', to = from] = ref.window.split('/')
    return spanText(from, to)
  }
  return inspection?.ended_at ? instantText(inspection.ended_at) : 'not made yet'
}

import type { Issue } from '../../../src/contract/site-api/index.ts'
import { SaveCsv } from '../../controls/save-csv.tsx'
import { Value } from '../../evidence/value.tsx'
import { Panel } from '../../states/panel.tsx'
import { csvText } from '../../tables/csv.ts'
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
  const recent = useInspections(shown)
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
    <Panel
      title="Evidence"
      actions={<SaveCsv label="Evidence" file_name="issue-evidence" csv={() => evidenceCsv(shown, recent)} />}
    >
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

/** The evidence with the API's field names; an inspection has its page, status and end as far as they are known. */
export function evidenceCsv({ issue, inspections }: ShownIssue, recent: Inspections): string {
  const of_issue = [issue.id, issue.title, issue.detected_at]
  const lines = issue.evidence_refs.map((ref) => {
    if (ref.kind !== 'inspection') {
      return [...of_issue, ref.kind, null, ref.host, ref.path_key, ref.status, ref.count, ref.window]
    }
    const page = recent.get(ref.id)
    const ended_at = inspections.find(({ id }) => id === ref.id)?.ended_at ?? null
    const seen = [page?.host ?? null, page?.path ?? null, page?.final_status ?? null]
    return [...of_issue, ref.kind, ref.id, ...seen, null, ended_at]
  })
  const head = ['issue_id', 'title', 'detected_at', 'kind', 'id', 'host', 'path_key', 'status', 'count', 'window']
  return csvText([head, ...lines])
}

type Inspections = ReturnType<typeof useInspections>

/** Empty until the inspection has ended and been read. */
function inspectedStatus(inspected: ReturnType<Inspections['get']>): string {
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

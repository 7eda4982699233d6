import { useQuery } from '@tanstack/react-query'
import { PageLink } from '../../controls/page-link.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import type { Column } from '../../tables/table-types.ts'
import { forceText } from '../../words/days.ts'
import { changeWords } from '../../words/definitions.ts'

type Revision = ReadOutput<'funnel.show'>['revisions'][number]
interface Row extends Revision {
  change: string
}

/** Newest first, each with its changes from the previous revision. */
export function rowsOf(revisions: readonly Revision[]): Row[] {
  const ordered = revisions.toSorted((a, b) => a.revision - b.revision)
  return ordered
    .map((revision, index) => {
      const before = ordered[index - 1]
      return { ...revision, change: changeWords(revision.steps, before === undefined ? null : before.steps) }
    })
    .toReversed()
}

/** Every revision of the funnel, with links to their numbers. */
export function FunnelRevisions({ slug, shown }: { slug: string; shown: number }) {
  const site = useSiteId()
  const { window } = useReportSearch()
  const query = useQuery(readQuery('funnel.show', { site, funnel: slug }))
  const columns: Column<Row>[] = [
    {
      key: 'revision',
      head: 'Revision',
      cell: ({ revision }) =>
        revision === shown ? (
          <span className="font-medium">Revision {revision}, shown</span>
        ) : (
          <PageLink
            to="/sites/$site/funnels/$funnel"
            params={{ site, funnel: slug }}
            search={{ ...(window === undefined ? {} : { window }), revision: String(revision) }}
          >
            Revision {revision}
          </PageLink>
        ),
    },
    {
      key: 'force',
      head: 'In force, UTC',
      phone: 'value',
      cell: ({ effective_from, effective_to }) => (
        <span className="text-ink2">{forceText(effective_from, effective_to)}</span>
      ),
    },
    { key: 'change', head: 'What changed', phone: 'tag', cell: ({ change }) => change },
  ]
  return (
    <Panel title="Revisions">
      <Async query={query} skeleton={<SkeletonRows rows={2} />}>
        {({ revisions }) => (
          <DataTable
            caption="Revisions of the funnel, newest first"
            columns={columns}
            rows={rowsOf(revisions)}
            rowKey={({ revision_id }) => revision_id}
            total={revisions.length}
          />
        )}
      </Async>
    </Panel>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { readQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { announce } from '../../shell/announce.tsx'
import { useSite } from '../../shell/use-site.ts'
import { Async, SkeletonBox } from '../../states/async.tsx'
import { ChildPage } from '../../states/child-page.tsx'
import { shortText } from '../../words/foreign-text.ts'
import { editorsOnly } from '../../words/refusals.ts'
import { FunnelBuilder } from './builder.tsx'
import { stepOf } from './draft.ts'

/** Changes a funnel from now on; its revisions keep their results. */
export function EditFunnelPage() {
  const site_id = useSiteId()
  const site = useSite()
  const { funnel } = useParams({ strict: false }) as { funnel: string }
  const navigate = useNavigate()
  const query = useQuery({ ...readQuery('funnel.show', { site: site_id, funnel }), refetchOnWindowFocus: false })
  const edit = useChange('funnel.edit', {
    changes: ['getAnalyticsFunnels', 'getAnalyticsFunnel', 'funnel.show', 'funnel.list'],
  })
  const name = query.data === undefined ? 'Funnel' : shortText(query.data.name)
  return (
    <ChildPage title={`Edit ${name}`} heading="Edit" above={name} to="/sites/$site/funnels/$funnel" params={{ funnel }}>
      <Async query={query} skeleton={<SkeletonBox height={320} />}>
        {(read) => (
          <FunnelBuilder
            key={read.revision_id}
            initial={{ name: read.name, steps: read.steps.map(stepOf) }}
            action={`Save revision ${read.revision + 1}`}
            consequence={`Creates revision ${read.revision + 1} from now on. Revision ${read.revision} keeps its numbers.`}
            forbidden={editorsOnly(site?.role)}
            error={edit.error}
            is_pending={edit.isPending}
            onSave={(definition) =>
              edit.mutate(
                { site: site_id, funnel, definition, revision: read.revision },
                {
                  onSuccess: ({ revision }) => {
                    announce(
                      revision === read.revision
                        ? 'Nothing changed, so there is no new revision.'
                        : `Revision ${revision} counts from now on.`,
                    )
                    void navigate({ to: `/sites/${site_id}/funnels/${funnel}` } as never)
                  },
                },
              )
            }
          />
        )}
      </Async>
    </ChildPage>
  )
}

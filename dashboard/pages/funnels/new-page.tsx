import { useNavigate } from '@tanstack/react-router'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { announce } from '../../shell/announce.tsx'
import { useSite } from '../../shell/use-site.ts'
import { ChildPage } from '../../states/child-page.tsx'
import { editorsOnly } from '../../words/refusals.ts'
import { FunnelBuilder } from './builder.tsx'

export function NewFunnelPage() {
  const site_id = useSiteId()
  const site = useSite()
  const navigate = useNavigate()
  const add = useChange('funnel.add', { changes: ['getAnalyticsFunnels', 'funnel.list'] })
  return (
    <ChildPage title="New funnel" above="Funnels" to="/sites/$site/funnels">
      <FunnelBuilder
        initial={{ name: '', steps: [] }}
        action="Create funnel"
        consequence="It counts from the first day with evidence."
        forbidden={editorsOnly(site?.role)}
        error={add.error}
        is_pending={add.isPending}
        onSave={(definition) =>
          add.mutate(
            { site: site_id, definition },
            {
              onSuccess: ({ slug, name }) => {
                announce(`The funnel ${name} was created.`)
                void navigate({ to: `/sites/${site_id}/funnels/${slug}` } as never)
              },
            },
          )
        }
      />
    </ChildPage>
  )
}

import { useNavigate } from '@tanstack/react-router'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { announce } from '../../shell/announce.tsx'
import { useSite } from '../../shell/use-site.ts'
import { ChildPage } from '../../states/child-page.tsx'
import { editorsOnly } from '../../words/refusals.ts'
import { ConversionBuilder } from './builder.tsx'
import { NEW_DRAFT } from './draft.ts'

/** Defines what counts as a success. */
export function NewConversionPage() {
  const site_id = useSiteId()
  const site = useSite()
  const navigate = useNavigate()
  const add = useChange('conversion.add', { changes: ['getAnalyticsConversions', 'conversion.list'] })
  return (
    <ChildPage title="New conversion" above="Conversions" to="/sites/$site/conversions">
      <ConversionBuilder
        initial={NEW_DRAFT}
        action="Create conversion"
        consequence="It counts from the first day with evidence."
        forbidden={editorsOnly(site?.role)}
        error={add.error}
        is_pending={add.isPending}
        onSave={(definition) =>
          add.mutate(
            { site: site_id, definition },
            {
              onSuccess: ({ id, name }) => {
                announce(`The conversion ${name} was created.`)
                void navigate({ to: `/sites/${site_id}/conversions/${id}` } as never)
              },
            },
          )
        }
      />
    </ChildPage>
  )
}

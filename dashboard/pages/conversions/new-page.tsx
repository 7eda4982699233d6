import { useNavigate } from '@tanstack/react-router'
import { PageLink } from '../../controls/page-link.tsx'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { announce } from '../../shell/announce.tsx'
import { PageTitle } from '../../shell/title.tsx'
import { useSite } from '../../shell/use-site.ts'
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
    <div className="space-y-8">
      <PageTitle
        title="New conversion"
        site={site?.root_domain}
        above={
          <PageLink to="/sites/$site/conversions" params={{ site: site_id }} className="hover:underline">
            Conversions
          </PageLink>
        }
      >
        New conversion
      </PageTitle>
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
                announce(`The conversion ${name} counts now.`)
                void navigate({ to: `/sites/${site_id}/conversions/${id}` } as never)
              },
            },
          )
        }
      />
    </div>
  )
}

import { ConnectChoices } from '../../connect/connect-choices.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { PageTitle } from '../../shell/title.tsx'
import { useMay } from '../../shell/use-may.ts'
import { useSite } from '../../shell/use-site.ts'

/** How can another source be added? */
export function SourceNewPage() {
  const site = useSite()
  const may = useMay()
  if (site === undefined) return null
  const link = (
    <PageLink to="/sites/$site/performance" params={{ site: site.id }} className="control">
      Open the overview
    </PageLink>
  )
  return (
    <div className="space-y-8">
      <PageTitle
        title="Add a source"
        site={site.root_domain}
        above={
          <PageLink to="/sites/$site/sources" params={{ site: site.id }} className="hover:underline">
            Evidence sources
          </PageLink>
        }
      >
        Add a source
      </PageTitle>
      <ConnectChoices site={site} may={may} after={link} />
    </div>
  )
}

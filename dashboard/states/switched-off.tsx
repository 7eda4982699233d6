import { useRouter } from '@tanstack/react-router'
import { PageLink } from '../controls/page-link.tsx'
import { useSite } from '../shell/use-site.ts'
import { SWITCHED_OFF } from '../words/refusals.ts'

const GATES = '/sites/$site/settings/gates'

/** Replaces a report whose gate an owner closed; owners get a link to open it. */
export function SwitchedOff() {
  const site = useSite()
  const { routesByPath } = useRouter()
  return (
    <p role="status" className="flex flex-wrap items-center gap-8 px-8 py-8 text-ink2">
      {SWITCHED_OFF}
      {site?.role === 'owner' && GATES in routesByPath && (
        <PageLink to={GATES} params={{ site: site.id }} className="control">
          Open gates
        </PageLink>
      )}
    </p>
  )
}

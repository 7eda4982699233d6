import { PageLink } from '../controls/page-link.tsx'
import { useSiteId } from '../read/use-report.ts'

/** Above figures that are unknown because no browser has sent an event yet. */
export function NotInstalled({ state }: { state: string }) {
  const site = useSiteId()
  return (
    <div className="panel flex flex-wrap items-center justify-between gap-x-8 gap-y-4 px-8 py-8">
      <p>
        {state === 'uninstalled'
          ? 'No tracker was installed on this site, so nothing is known about its visitors.'
          : 'Waiting for the first event. Open a page of your site and it appears here.'}
      </p>
      <PageLink to="/sites/$site/tracker" params={{ site }} className="control">
        {state === 'uninstalled' ? 'Install the tracker' : 'Open the snippet'}
      </PageLink>
    </div>
  )
}

import { PageLink } from '../controls/page-link.tsx'
import type { TrackerEnvelope } from '../evidence/tracker-sentences.ts'
import { useSiteId } from '../read/use-report.ts'

/** Above figures that are unknown because no browser has sent an event yet. */
export function NotInstalled({ meta }: { meta: TrackerEnvelope }) {
  const site = useSiteId()
  const { sentence, action } = hintOf(meta)
  return (
    <div className="panel flex flex-wrap items-center justify-between gap-x-8 gap-y-4 px-8 py-8">
      <p>{sentence}</p>
      <PageLink to="/sites/$site/tracker" params={{ site }} className="control">
        {action}
      </PageLink>
    </div>
  )
}

function hintOf({ measurement_state, operational }: TrackerEnvelope): { sentence: string; action: string } {
  if (measurement_state === 'uninstalled') {
    const sentence = 'No tracker was installed on this site, so nothing is known about its visitors.'
    return { sentence, action: 'Install the tracker' }
  }
  if (operational.state === 'disabled') {
    const sentence = 'The tracker was switched off before its first event, so nothing is known about visitors.'
    return { sentence, action: 'Open the tracker' }
  }
  return {
    sentence: 'Waiting for the first event. Open a page of your site and it appears here.',
    action: 'Open the snippet',
  }
}

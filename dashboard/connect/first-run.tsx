import { useState } from 'react'
import type { Meta } from '../../src/contract/site-api/index.ts'
import { Button } from '../controls/button.tsx'
import { PageLink } from '../controls/page-link.tsx'
import type { SessionSite } from '../read/operations.ts'
import { useMay } from '../shell/use-may.ts'
import { useSite } from '../shell/use-site.ts'
import { SOURCE_TYPE_WORDS } from '../words/sources.ts'
import { ConnectChoices } from './connect-choices.tsx'
import { FirstSteps } from './first-steps.tsx'

/**
 * Above the numbers of a site that has no evidence: three ways to the first. It stays, with the receipt, until the
 * person opens the overview. A source that has not reported yet gets one sentence instead.
 */
export default function FirstRun({ meta }: { meta: Meta }) {
  const site = useSite()
  const is_unknown = meta.coverage_state === 'unknown'
  const connected = meta.sources.filter(({ connection_status }) => connection_status !== 'disconnected')
  const [is_shown, setShown] = useState(is_unknown && connected.length === 0)
  if (site === undefined) return null
  if (is_shown) return <FirstRunPanel site={site} has_evidence={!is_unknown} onClose={() => setShown(false)} />
  if (!is_unknown || connected.length === 0) return null
  return <WaitingPanel site={site} sources={connected} />
}

interface FirstRunPanelProps {
  site: SessionSite
  has_evidence: boolean
  onClose: () => void
}

export function FirstRunPanel({ site, has_evidence, onClose }: FirstRunPanelProps) {
  const may = useMay()
  const close = () => {
    onClose()
    scrollTo({ top: 0 })
  }
  const open = has_evidence ? (
    <Button kind="primary" onClick={close}>
      Open the overview
    </Button>
  ) : null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 wide:grid-cols-[minmax(0,1fr)_336px]">
      <ConnectChoices site={site} may={may} after={open} />
      <FirstSteps root_domain={site.root_domain} has_evidence={has_evidence} />
    </div>
  )
}

interface WaitingPanelProps {
  site: SessionSite
  sources: readonly Pick<Meta['sources'][number], 'id' | 'source_type'>[]
}

const WAITS_FOR = {
  cloudflare_zone: 'its first hours from Cloudflare',
  https_intake: 'the first record that a server delivers',
  log_upload: 'a completed import',
} as const

export const WaitingPanel = ({ site, sources }: WaitingPanelProps) => (
  <div className="panel flex flex-wrap items-center justify-between gap-8 px-8 py-7">
    <div>
      <p className="font-strong">A source exists and has not reported yet.</p>
      {sources.map(({ id, source_type }) => (
        <p key={id} className="text-dense text-ink2">
          {SOURCE_TYPE_WORDS[source_type] ?? source_type}: waiting for {WAITS_FOR[source_type] ?? 'its first record'}.
        </p>
      ))}
    </div>
    <PageLink to="/sites/$site/sources" params={{ site: site.id }} className="control">
      Open sources
    </PageLink>
  </div>
)

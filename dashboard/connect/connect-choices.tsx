import { useState } from 'react'
import { RadioCards } from '../forms/radio-cards.tsx'
import type { SessionSite } from '../read/operations.ts'
import type { May } from '../shell/use-may.ts'
import { Panel, PanelBody } from '../states/panel.tsx'
import { ConnectCloudflare } from './connect-cloudflare.tsx'
import { SendLive } from './send-live.tsx'
import { UploadLog } from './upload-log.tsx'

const CHOICES = [
  { key: 'upload', title: 'Upload a log', text: 'Days or years of history. Numbers within minutes.' },
  { key: 'live', title: 'Send logs live', text: 'nginx, Caddy, Vector, Vercel, Fastly and more.' },
  { key: 'cloudflare', title: 'Connect Cloudflare', text: 'Reads zone analytics automatically, hour by hour.' },
] as const
type Choice = (typeof CHOICES)[number]['key']

interface ConnectChoicesProps {
  site: SessionSite
  may: May
  /** The next step, shown once there is evidence. */
  after?: React.ReactNode
  first?: Choice
}

/** Three ways to get evidence; the chosen one opens in place. */
export function ConnectChoices({ site, may, after, first = 'upload' }: ConnectChoicesProps) {
  const [choice, setChoice] = useState<Choice>(first)
  const owner = may.own === undefined ? undefined : 'An owner can connect a source; you can upload a log.'
  const connecting = may.edit === undefined ? owner : may.own
  return (
    <div className="min-w-0 space-y-8">
      <RadioCards label="Where the evidence comes from" options={CHOICES} chosen={choice} onChoose={setChoice} />
      <Panel title={CHOICES.find(({ key }) => key === choice)?.title ?? ''}>
        <PanelBody>
          {/* All stay mounted, so that an upload continues and a secret is not lost while another one is open. */}
          <div hidden={choice !== 'upload'}>
            <UploadLog site={site} forbidden={may.edit} after={after} />
          </div>
          <div hidden={choice !== 'live'}>
            <SendLive site={site} forbidden={connecting} after={after} />
          </div>
          <div hidden={choice !== 'cloudflare'}>
            <ConnectCloudflare site={site} forbidden={connecting} after={after} />
          </div>
        </PanelBody>
      </Panel>
    </div>
  )
}

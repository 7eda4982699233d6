import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../controls/badge.tsx'
import { Button } from '../../controls/button.tsx'
import { DropZone } from '../../forms/drop-zone.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { TextField } from '../../forms/text-field.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { InstallationSettings } from '../../settings/account-settings.tsx'
import { NotForYou } from '../../settings/settings-page.tsx'
import { useMay } from '../../shell/use-may.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { instantText } from '../../words/days.ts'
import { counted } from '../../words/numbers.ts'
import { AddressListsPanel } from './address-lists-panel.tsx'
import { ReplayReport } from './replay-report.tsx'

/** Which crawlers are known, and what did a new version of the registry change? */
export default function RegistryPage() {
  const may = useMay()
  const is_operator = may.operate === undefined
  const registry = useQuery({ ...readQuery('registry.show', {}), enabled: is_operator })
  if (!is_operator) {
    return (
      <InstallationSettings title="Crawler registry">
        <Panel title="Crawler registry">
          <NotForYou>Operators see and change it. Every report names the version that it used.</NotForYou>
        </Panel>
      </InstallationSettings>
    )
  }
  return (
    <InstallationSettings title="Crawler registry">
      <Panel title="In force">
        <Async query={registry} skeleton={<SkeletonRows rows={3} />}>
          {(answer) => <Versions answer={answer} />}
        </Async>
      </Panel>
      <AddressListsPanel />
    </InstallationSettings>
  )
}

function Versions({ answer }: { answer: ReadOutput<'registry.show'> }) {
  const options = { changes: ['registry.show', 'registry.lists.list', 'getPerformance', 'getCrawlers'] as const }
  const update = useChange('registry.update', options)
  const fetched = useChange('registry.fetch', options)
  const use = useChange('registry.use', options)
  const [url, setUrl] = useState('')
  const changed = [update, fetched, use]
    .filter(({ data }) => data !== undefined)
    .toSorted((a, b) => b.submittedAt - a.submittedAt)[0]
  const shown = changed?.data ?? answer.last_adoption
  const is_busy = update.isPending || fetched.isPending || use.isPending
  return (
    <PanelBody>
      <div className="space-y-8">
        <p>
          Version <strong className="font-strong">{answer.version}</strong> with {counted(answer.entries, 'crawler')}.
          Reports of all days use its labels.
        </p>
        {shown !== null && <ReplayReport report={shown} adopted_at={answer.last_adoption?.adopted_at} />}
        {is_busy && <p role="status">All history is being labelled again.</p>}
        <div className="grid gap-8 tablet:grid-cols-2">
          <DropZone
            title="Drop a registry document here"
            note="JSON. It takes effect at once, and the report shows what changed for each crawler."
            onFiles={async ([file]) => file !== undefined && update.mutate({ document: await file.text() })}
          />
          <form
            onSubmit={(event) => {
              event.preventDefault()
              fetched.mutate({ url: url.trim() })
            }}
            className="space-y-6"
          >
            <TextField label="Or load it from a URL" type="url" value={url} onChange={setUrl} is_mono is_required />
            <Button type="submit" aria-busy={fetched.isPending}>
              Load and use
            </Button>
          </form>
        </div>
        <FormError error={update.error ?? fetched.error ?? use.error} />
        <ul>
          {answer.versions.map(({ version, loaded_at }) => (
            <li key={version} className="flex flex-wrap items-center justify-between gap-6 border-t border-line py-4">
              <span>
                {version} <span className="text-dense text-ink3">loaded {instantText(loaded_at)} UTC</span>
              </span>
              {version === answer.version ? (
                <Badge tone="ok">In force</Badge>
              ) : (
                <Button onClick={() => use.mutate({ version })}>Use this version</Button>
              )}
            </li>
          ))}
        </ul>
      </div>
    </PanelBody>
  )
}

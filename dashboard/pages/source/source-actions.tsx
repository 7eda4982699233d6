import { type FormEvent, useState } from 'react'
import { VANTAGES } from '../../../src/contract/vocabulary.ts'
import { Button } from '../../controls/button.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { SelectField } from '../../forms/select.tsx'
import { TextField } from '../../forms/text-field.tsx'
import type { ChangeId } from '../../read/operations.ts'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { announce } from '../../shell/announce.tsx'
import { useMay } from '../../shell/use-may.ts'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { Column } from '../../states/report-page.tsx'
import { visibleText } from '../../words/foreign-text.ts'
import { COUNTING_WORDS, countingOf, SOURCE_TYPE_WORDS, VANTAGE_WORDS } from '../../words/sources.ts'
import type { NamedSource } from './source-facts.tsx'
import { serversFor, UnnamedUpload } from './unnamed-upload.tsx'

/** Operations after which the numbers of every report may change. */
const CHANGES: ChangeId[] = [
  ...(['source.list', 'getSources', 'getCoverage', 'getPerformance', 'getCrawlers', 'getTopPages'] as const),
  'getSitesOverview',
]

/** The actions of owners on a source. Other people see the actions, and who can do them. */
export function SourceActions({ source, sources }: { source: NamedSource; sources: readonly NamedSource[] }) {
  const may = useMay()
  return (
    <Column>
      <Panel title="Counting">
        <PanelBody>
          <Counting source={source} forbidden={may.own} />
        </PanelBody>
      </Panel>
      {source.source_type === 'cloudflare_zone' && (
        <Panel title="Cloudflare token">
          <PanelBody>
            <NewZoneToken zone={source.name} forbidden={may.own} />
          </PanelBody>
        </Panel>
      )}
      <Panel title="Connection">
        <PanelBody>
          <Connection source={source} sources={sources} forbidden={may.own} />
        </PanelBody>
      </Panel>
    </Column>
  )
}

interface ActionProps {
  source: NamedSource
  forbidden: string | undefined
}

const COUNTING_SENTENCES = {
  always: 'This source counts in every answer of the site.',
  its_days:
    'This upload counts on its days. Another source has later evidence of its hosts, or its days were assigned to a server.',
  never: 'This source is stored and compared. Its requests are in no total.',
} as const

function Counting({ source, forbidden }: ActionProps) {
  const primary = useChange('source.primary', { changes: CHANGES })
  const counting = countingOf(source)
  const vantage = useChange('source.vantage', { changes: CHANGES })
  return (
    <div className="space-y-8">
      <p className="text-dense text-ink2">{COUNTING_SENTENCES[counting]}</p>
      <Button
        forbidden={forbidden}
        onClick={() => primary.mutate({ source: source.id, is_primary: counting === 'never' })}
      >
        {COUNTING_WORDS[counting].change}
      </Button>
      {forbidden === undefined && (
        <SelectField
          label="Vantage point"
          selected={source.vantage}
          options={VANTAGES.map((key) => ({ key, label: VANTAGE_WORDS[key] }))}
          onSelect={(key) => vantage.mutate({ source: source.id, vantage: key as (typeof VANTAGES)[number] })}
        />
      )}
      <FormError error={primary.error ?? vantage.error} />
    </div>
  )
}

function NewZoneToken({ zone, forbidden }: { zone: string; forbidden: string | undefined }) {
  const site = useSiteId()
  const [token, setToken] = useState('')
  const connect = useChange('source.connect', {
    changes: CHANGES,
    onDone: () => {
      setToken('')
      announce('Cloudflare accepts the new token.')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The token may see further zones that the site's domain lies in.
    connect.mutate({ site, token: token.trim(), zone })
  }
  return (
    <form onSubmit={submit} className="space-y-6">
      <TextField
        label="New token"
        type="password"
        autoComplete="off"
        help="It is tested with Cloudflare first, then it replaces the previous one."
        value={token}
        onChange={setToken}
        is_required
        is_mono
      />
      <FormError error={connect.error} />
      <Button type="submit" forbidden={forbidden} aria-busy={connect.isPending}>
        Verify and replace
      </Button>
    </form>
  )
}

function Connection({ source, sources, forbidden }: ActionProps & { sources: readonly NamedSource[] }) {
  const [is_confirming, setConfirming] = useState(false)
  const disconnect = useChange('source.disconnect', { changes: CHANGES })
  const reconnect = useChange('source.reconnect', { changes: CHANGES })
  const is_gone = source.connection_status === 'disconnected'
  const server = sources.find(({ id }) => id === source.moved_to)
  const servers = serversFor(source, sources)
  return (
    <div className="space-y-6">
      {is_gone ? (
        <>
          <p className="text-dense text-ink2">It accepts no more logs. What it delivered is kept and still counts.</p>
          <Button forbidden={forbidden} onClick={() => reconnect.mutate({ source: source.id })}>
            Reconnect
          </Button>
        </>
      ) : (
        <Button kind="bad" forbidden={forbidden} onClick={() => setConfirming(true)}>
          Disconnect
        </Button>
      )}
      {server !== undefined && (
        <div className="space-y-4">
          <p className="text-dense text-ink2">
            Its days belong to the server {visibleText(server.name)}, and it accepts no more logs.
          </p>
          <Button forbidden={forbidden} onClick={() => reconnect.mutate({ source: source.id })}>
            Take its days back
          </Button>
        </div>
      )}
      {servers.length > 0 && (
        <UnnamedUpload source={source} servers={servers} changes={CHANGES} forbidden={forbidden} />
      )}
      <FormError error={reconnect.error} />
      <ConfirmByTyping
        title={`Disconnect ${visibleText(source.name || SOURCE_TYPE_WORDS[source.source_type])}?`}
        expected={null}
        action="Disconnect"
        is_open={is_confirming}
        onClose={() => setConfirming(false)}
        onConfirm={async () => {
          await disconnect.mutateAsync({ source: source.id })
        }}
      >
        <p>
          The source accepts no more logs and covers no days from now on. What it delivered is kept. It can be
          reconnected.
        </p>
      </ConfirmByTyping>
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { FormError } from '../forms/form-error.tsx'
import { SecretOnce } from '../forms/secret-once.tsx'
import { TextField } from '../forms/text-field.tsx'
import { useFirstError } from '../forms/use-first-error.ts'
import type { SessionSite } from '../read/operations.ts'
import { sessionQuery } from '../read/queries.ts'
import { useChange } from '../read/use-change.ts'
import { FirstRecord } from './first-record.tsx'
import { hostsFault, hostsOf } from './hosts.ts'
import { SenderGuide } from './sender-guide.tsx'

interface SendLiveProps {
  site: SessionSite
  forbidden: string | undefined
  after?: React.ReactNode
}

/** A source that servers deliver to: its name, its token once, how to set up a sender, and whether it delivers. */
export function SendLive({ site, forbidden, after }: SendLiveProps) {
  const [name, setName] = useState('web1')
  const [hosts, setHosts] = useState(site.root_domain)
  const [is_checked, setChecked] = useState(false)
  const { form, focusFirstError } = useFirstError<HTMLFormElement>()
  const fault = hostsFault(hosts, site.root_domain)
  const add = useChange('source.add', { changes: ['source.list', 'getSources'] })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (fault !== undefined) focusFirstError()
    else add.mutate({ site: site.id, type: 'https_intake', name })
  }
  if (add.data !== undefined) {
    const { id, token } = add.data
    return <NewSource site={site} hosts={hostsOf(hosts)} source={id} secret={token.secret} after={after} />
  }
  return (
    <form ref={form} onSubmit={submit} className="max-w-240 space-y-8">
      <p className="text-ink2">
        Your servers or your CDN post their logs; Spoor stores the requests of crawlers. The source gets a token that
        can only deliver logs.
      </p>
      <TextField
        label="Name of the source"
        help="For example the server or the service that delivers."
        value={name}
        onChange={setName}
        is_required
      />
      <TextField
        label="Hosts that it delivers"
        help="Separated by spaces. They are filled in below. Other hosts of the site count as well, once they are delivered."
        value={hosts}
        onChange={setHosts}
        fault={fault}
        error={is_checked ? fault : undefined}
        is_mono
      />
      <FormError error={add.error} />
      <Button type="submit" kind="primary" forbidden={forbidden} aria-busy={add.isPending}>
        Create the source and its token
      </Button>
      {forbidden !== undefined && <p className="text-small text-ink3">{forbidden}</p>}
    </form>
  )
}

function NewSource({
  site,
  hosts,
  source,
  secret,
  after,
}: {
  site: SessionSite
  hosts: readonly string[]
  source: string
  secret: string
  after: React.ReactNode
}) {
  const [is_stored, setStored] = useState(false)
  const address = useServiceAddress()
  return (
    <div className="space-y-8">
      <div className="z-10 tablet:sticky tablet:top-4">
        <FirstRecord site={site.id} source={source} />
      </div>
      {is_stored ? (
        <p className="text-dense text-ink2">You have stored the token. The commands below no longer contain it.</p>
      ) : (
        <div className="space-y-5">
          <SecretOnce label="Token of this source" secret={secret} />
          <Button onClick={() => setStored(true)}>I have stored it</Button>
        </div>
      )}
      <SenderGuide {...{ address, hosts }} token={is_stored ? 'spoor_src_…' : secret} root_domain={site.root_domain} />
      {after}
    </div>
  )
}

/** The address at which senders reach the service: its public address, or the one of this page. */
export function useServiceAddress(): string {
  const { data: session } = useQuery(sessionQuery())
  return (session?.public_url ?? location.origin).replace(/\/$/, '')
}

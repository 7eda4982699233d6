import { type FormEvent, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { CheckIcon } from '../controls/icons.tsx'
import { OutsideLink } from '../controls/outside-link.tsx'
import { FormError } from '../forms/form-error.tsx'
import { TextField } from '../forms/text-field.tsx'
import type { ReadOutput, SessionSite } from '../read/operations.ts'
import { useChange } from '../read/use-change.ts'
import { instantText } from '../words/days.ts'
import { visibleText } from '../words/foreign-text.ts'
import { counted } from '../words/numbers.ts'
import { FirstRecord } from './first-record.tsx'

const PERMISSIONS = [
  { name: 'Zone · Analytics · Read', about: 'Reads how many requests the zone had.', is_needed: true },
  { name: 'Zone · Zone · Read', about: 'Finds the zone of the domain.', is_needed: true },
  {
    name: 'Zone · DNS · Read',
    about: 'Optional. Shows which hosts go through Cloudflare; without it, that is unknown.',
    is_needed: false,
  },
] as const

interface ConnectCloudflareProps {
  site: SessionSite
  forbidden: string | undefined
  after?: React.ReactNode
}

/**
 * The form for a token with the listed permissions. The service tests the token with Cloudflare before it stores it.
 */
export function ConnectCloudflare({ site, forbidden, after }: ConnectCloudflareProps) {
  const [token, setToken] = useState('')
  const [zone, setZone] = useState('')
  const connect = useChange('source.connect', {
    changes: ['source.list', 'getSources'],
    onDone: () => setToken(''),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    connect.mutate({ site: site.id, token: token.trim(), ...(zone.trim() === '' ? {} : { zone: zone.trim() }) })
  }
  if (connect.data !== undefined) return <Connected site={site} answer={connect.data} after={after} />
  return (
    <form onSubmit={submit} className="max-w-280 space-y-8">
      <div className="space-y-4">
        <p>
          In Cloudflare, create a token for this zone at{' '}
          <OutsideLink href="https://dash.cloudflare.com/profile/api-tokens">My Profile, API Tokens</OutsideLink> with
          these permissions:
        </p>
        <ul className="space-y-3">
          {PERMISSIONS.map(({ name, about, is_needed }) => (
            <li key={name} className="flex items-start gap-4">
              <CheckIcon className={`mt-1 h-8 w-8 ${is_needed ? 'text-ink' : 'text-ink3'}`} />
              <span>
                <span className="font-medium">{name}</span>
                <span className="block text-dense text-ink2">{about}</span>
              </span>
            </li>
          ))}
        </ul>
      </div>
      <TextField
        label="Cloudflare API token"
        type="password"
        autoComplete="off"
        help="It is tested with Cloudflare first, then stored encrypted."
        value={token}
        onChange={setToken}
        is_mono
        is_required
      />
      <TextField
        label="Zone"
        help={`Name or id. If empty: the zone of ${site.root_domain}.`}
        value={zone}
        onChange={setZone}
        is_mono
      />
      <FormError error={connect.error} />
      <Button type="submit" kind="primary" forbidden={forbidden} aria-busy={connect.isPending}>
        {connect.isPending ? 'Checking with Cloudflare' : 'Verify and connect'}
      </Button>
      {forbidden !== undefined && <p className="text-small text-ink3">{forbidden}</p>}
    </form>
  )
}

interface ConnectedProps {
  site: SessionSite
  answer: ReadOutput<'source.connect'>
  after?: React.ReactNode
}

/** What the token gives access to: the zone, how far back it is read, and which hosts go through Cloudflare. */
export function Connected({ site, answer, after }: ConnectedProps) {
  const { zone_name, read_from, hostnames, source_id } = answer
  return (
    <div className="space-y-8">
      <FirstRecord site={site.id} source={source_id} />
      <p>
        <strong className="font-strong">Connected to {visibleText(zone_name)}.</strong> History is read back to{' '}
        {instantText(read_from)} UTC, as far as the plan allows. Those days are the provider’s history. From now on it
        is read hour by hour.
      </p>
      {hostnames === null ? (
        <p className="text-ink2">
          The token has no permission to read DNS records, so it is unknown which hosts go through Cloudflare.
        </p>
      ) : (
        <p className="text-ink2">
          {counted(hostnames.proxied.length, 'host')} through Cloudflare
          {hostnames.unproxied.length > 0 &&
            `, ${counted(hostnames.unproxied.length, 'host')} not through it: ${hostnames.unproxied.slice(0, 5).map(visibleText).join(', ')}${hostnames.unproxied.length > 5 ? ' …' : ''}. Requests to these are not observed`}
          .
        </p>
      )}
      {after}
    </div>
  )
}

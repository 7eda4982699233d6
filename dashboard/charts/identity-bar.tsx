import type { Crawler } from '../../src/contract/site-api/index.ts'
import type { Identity } from '../../src/contract/vocabulary.ts'
import { PATTERN } from '../evidence/patterns.tsx'
import { IDENTITY_COLORS, IDENTITY_ORDER, IDENTITY_WORDS } from '../words/identities.ts'
import { fullCount } from '../words/numbers.ts'
import { ShareBar, type SharePart } from './share-bar.tsx'

export type Identified = Pick<Crawler, 'identities' | 'impostor_request_count'>

/** Requests by identity, strongest first. Impostors are `unknown`: the vendor's addresses refute their claim. */
export function IdentityBar({
  row,
  height = 8,
  className = 'w-full',
}: {
  row: Identified
  height?: number
  className?: string
}) {
  const parts = identityParts(row)
  const label = parts
    .filter(({ count }) => count > 0)
    .map((part) => `${part.label} ${fullCount(part.count)}`)
    .join(', ')
  return <ShareBar parts={parts} label={label} height={height} className={className} />
}

export function identityParts({ identities, impostor_request_count }: Identified): SharePart[] {
  const parts: SharePart[] = IDENTITY_ORDER.map((identity) => ({
    key: identity,
    label: IDENTITY_WORDS[identity],
    count: identity === 'unknown' ? identities.unknown - impostor_request_count : identities[identity],
    color: IDENTITY_COLORS[identity],
    ...(identity === 'ua_identified' ? { outline: IDENTITY_COLORS.provider_verified } : {}),
    ...(identity === 'unknown' ? { outline: 'var(--color-control)' } : {}),
  }))
  const impostors: SharePart = {
    key: 'impostor',
    label: 'impostor',
    count: impostor_request_count,
    color: 'var(--color-panel)',
    pattern: PATTERN.impostor,
    outline: 'var(--color-bad)',
  }
  return [...parts, impostors]
}

export function IdentityLegend({ keys }: { keys: readonly string[] }) {
  const parts = identityParts({
    identities: { network_verified: 1, provider_verified: 1, ua_identified: 1, unknown: 2 },
    impostor_request_count: 1,
  })
  return (
    <ul className="flex flex-wrap gap-x-8 gap-y-2 text-small text-ink2">
      {parts
        .filter(({ key }) => keys.includes(key))
        .map((part) => (
          <li key={part.key} className="flex items-center gap-4">
            <ShareBar parts={[part]} label={part.label} height={9} className="w-6" />
            {part.label}
          </li>
        ))}
    </ul>
  )
}

/** Parts from rows with one identity each. There, `unknown` means that the vendor's addresses refute the claim. */
export function identitiesOf(rows: readonly { identity: Identity; observed_request_count: number }[]): Identified {
  const identities: Record<Identity, number> = {
    unknown: 0,
    ua_identified: 0,
    provider_verified: 0,
    network_verified: 0,
  }
  for (const { identity, observed_request_count } of rows) identities[identity] = observed_request_count
  return { identities, impostor_request_count: identities.unknown }
}

/** Parts of identity bars that occur in any of the rows. */
export const identityKeysOf = (rows: readonly Identified[]): string[] => [
  ...new Set(
    rows.flatMap((row) =>
      identityParts(row)
        .filter(({ count }) => count > 0)
        .map(({ key }) => key),
    ),
  ),
]

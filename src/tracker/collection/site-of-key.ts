/** Step 2: finds the site of a request's key, and counts lost events if the stores do not respond (rules 6.5). */
import { wrongSecret } from '#accounts/wrong-secret.ts'
import { utcDay } from '#days/utc-day.ts'
import { CollectRefusal } from './collect-refusal.ts'
import { siteSeenFrom } from './development-requests.ts'
import type { PageHeaders } from './page-origin.ts'
import type { EventIntakeParts } from './receive-events.ts'
import type { KeyKind, TrackerSite } from './tracker-key-lookup.ts'

interface KeyOfRequest {
  kind: KeyKind
  key: string
  network: string
}

/** `lost` returns the site, if it is remembered, whose events are lost if the stores fail. @throws CollectRefusal. */
export async function findSite(
  parts: EventIntakeParts,
  { kind, key, network }: KeyOfRequest,
  lost: () => { site: TrackerSite | null; events: number },
): Promise<TrackerSite> {
  const { keys } = parts
  let site = keys.peek(kind, key)
  if (site === undefined) site = await refuseIfUnavailable(parts, keys.load(kind, key, network), lost())
  if (site === null) throw unknownKey(kind, key)
  return site
}

/** The last known site of a browser's key, if the page belongs to it. */
export function lastSeen({ keys, checkOrigin }: EventIntakeParts, key: string, page: PageHeaders): TrackerSite | null {
  const known = keys.lastKnown(key)
  if (known === null) return null
  const site = siteSeenFrom(known, page)
  try {
    checkOrigin(page, site.root_domain)
  } catch (error) {
    if (error instanceof CollectRefusal) return null
    throw error
  }
  return site
}

/** The refusal of an unknown key; `key` is null if the request had none. */
export const unknownKey = (kind: KeyKind, key: string | null) =>
  new CollectRefusal(
    'unauthenticated',
    'unknown_key',
    (key === null ? null : wrongSecret(key, kind === 'public' ? 'spoor_pub_' : 'spoor_srv_')) ?? UNKNOWN[kind],
  )

const UNKNOWN: Readonly<Record<KeyKind, string>> = {
  public: 'The site key is unknown or revoked; send the public key (spoor_pub_…) of the snippet that the site has now.',
  server:
    'The key is missing, unknown or revoked; send "Authorization: Bearer spoor_srv_…" with a server key that is in force.',
}

/** Awaits a read of the stores. If it fails, counts the events as lost. @throws CollectRefusal unavailable. */
export async function refuseIfUnavailable<T>(
  { ctx: { clock, log }, admission }: EventIntakeParts,
  work: Promise<T>,
  lost: { site: TrackerSite | null; events: number },
): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof CollectRefusal) throw error
    log.error({ err: error }, 'events cannot be accepted: the control store does not answer')
    const code = 'store_unavailable'
    if (lost.site !== null) admission.countRefused(lost.site, utcDay(clock.now()), code, lost.events)
    throw new CollectRefusal('unavailable', code, 'The service cannot accept events now. Send them again.', {
      retry_after: RETRY_SECONDS,
    })
  }
}

const RETRY_SECONDS = 5

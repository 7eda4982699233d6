/**
 * Step 2: finds the site of a key. A public id is cached for two seconds only, so that a revoked one ends soon (rules
 * 6). A server key is read at every request (decisions 8.2).
 */
import { hashSecret, isSameHash } from '#accounts/bearer-secret.ts'
import type { ControlDb } from '#control/store.ts'
import type { PropertyRow } from '#control/tables.ts'
import { findNamesInForce } from '../definitions/names-in-force.ts'
import { listDevelopmentOrigins } from '../development/origins.ts'
import { openOrderKey, replaceOrderKey } from '../keys/order-key.ts'
import { CollectRefusal } from './collect-refusal.ts'
import { FROM_SERVERS } from './collection-counts.ts'
import type { CollectorContext } from './context.ts'
import { openBuckets } from './rate-limits.ts'

export type KeyKind = 'public' | 'server'

/** A site with everything that collection needs to know about it. */
export interface TrackerSite {
  site_id: string
  root_domain: string
  /** Its owner has switched the tracker off. */
  is_disabled: boolean
  /** Origins on which the site is developed; their events are kept separate. */
  development_origins: ReadonlySet<string>
  /** True for a request from a development origin; then `root_domain` is the host of that origin. */
  is_development: boolean
  /** Whether visitors who opt out are left out. */
  honours_opt_out: boolean
  /** Set if the key is revoked: its events are refused. */
  revocation: Revocation | null
  /** Declared properties in force, by event name and key. */
  properties: ReadonlyMap<string, DeclaredProperty>
  /** Event names that a property or a conversion in force names. */
  names: ReadonlySet<string>
  /** The key with which order ids are hashed. */
  order_key: string
}

export interface Revocation {
  /**
   * A browser's event was accepted since, so the pages use another key, and refused events are not missing (rules 6).
   */
  has_successor: boolean
}

export interface DeclaredProperty {
  scalar_kind: PropertyRow['scalar_kind']
  /** The values of an enum; empty for the other kinds. */
  values: ReadonlySet<string>
}

export interface SiteKeys {
  /** The cached site of a key; undefined: call `load`. */
  peek(kind: KeyKind, key: string): TrackerSite | null | undefined
  /** The site of the key when it was last read, however long ago; null if that is not remembered. */
  lastKnown(key: string): TrackerSite | null
  /** Null: unknown or of another kind. @throws CollectRefusal rate_limited: the network sent too many unknown keys. */
  load(kind: KeyKind, key: string, network: string): Promise<TrackerSite | null>
}

/** How long a key that was read is used without reading it again. */
export const KEY_CACHE_MS = 2_000
const MAX_KEYS = 10_000
/** Unknown keys of one network are limited, because each costs a query of the control store. */
const UNKNOWN_KEYS = { per_second: 10, burst: 100 }
const FORMS: Readonly<Record<KeyKind, RegExp>> = {
  public: /^spoor_pub_[\w-]{16,64}$/,
  server: /^spoor_srv_[\w-]{16,64}$/,
}

export const propertyName = (event_name: string, key: string) => `${event_name}\n${key}`

export function openSiteKeys(ctx: CollectorContext): SiteKeys {
  const known = new Map<string, { site: TrackerSite | null; until: number }>()
  const running = new Map<string, Promise<TrackerSite | null>>()
  const { take: takeUnknown } = openBuckets(UNKNOWN_KEYS, ctx.clock)
  const look = async (kind: KeyKind, key: string) => {
    const asked_at = ctx.clock.elapsed()
    const site = await findSite(ctx, kind, key)
    if (known.size >= MAX_KEYS) known.clear()
    known.set(key, { site, until: asked_at + KEY_CACHE_MS })
    return site
  }
  return {
    peek(kind, key) {
      if (!FORMS[kind].test(key)) return null
      if (kind === 'server') return undefined
      const entry = known.get(key)
      return entry === undefined || entry.until <= ctx.clock.elapsed() ? undefined : entry.site
    },
    lastKnown: (key) => known.get(key)?.site ?? null,
    async load(kind, key, network) {
      const under_way = running.get(key)
      if (under_way !== undefined) return under_way
      // A known key is looked up whatever else its network tries; otherwise the site of lost events would be unknown.
      const entry = known.get(key)
      if (entry !== undefined && entry.site !== null && entry.until > ctx.clock.elapsed()) {
        if (await isUnchanged(ctx, key, entry.site)) return entry.site
      }
      const was_known = entry?.site != null
      const retry_after = was_known ? 0 : takeUnknown(network, 1)
      if (retry_after > 0) throw tooManyUnknown(retry_after)
      const looking = look(kind, key).finally(() => running.delete(key))
      running.set(key, looking)
      const site = await looking
      if (site !== null && !was_known) takeUnknown(network, -1)
      return site
    },
  }
}

/** Whether a cached key is still in force, or still revoked. The other values of its site are cached longer. */
async function isUnchanged({ control }: CollectorContext, key: string, site: TrackerSite): Promise<boolean> {
  const found = await control.db
    .selectFrom('tracker_keys')
    .select('revoked_at')
    .where('secret_sha256', '=', hashSecret(key))
    .executeTakeFirst()
  return found !== undefined && (found.revoked_at !== null) === (site.revocation !== null)
}

const tooManyUnknown = (retry_after: number) =>
  new CollectRefusal(
    'rate_limited',
    'rate_limited',
    'This address sent too many unknown keys; send events with a key that is in force.',
    { retry_after },
  )

async function findSite(ctx: CollectorContext, kind: KeyKind, key: string): Promise<TrackerSite | null> {
  const { db } = ctx.control
  const computed = hashSecret(key)
  const found = await db
    .selectFrom('tracker_keys')
    .innerJoin('sites', 'sites.id', 'tracker_keys.site_id')
    .innerJoin('trackers', 'trackers.site_id', 'tracker_keys.site_id')
    .leftJoin('tracker_settings', 'tracker_settings.site_id', 'tracker_keys.site_id')
    .select(['tracker_keys.site_id', 'tracker_keys.secret_sha256', 'tracker_keys.revoked_at', 'sites.root_domain'])
    .select(['trackers.disabled_at', 'trackers.sealed_order_key', 'tracker_settings.honours_opt_out'])
    .where((is) => is.and({ 'tracker_keys.secret_sha256': computed, 'tracker_keys.kind': kind }))
    .executeTakeFirst()
  if (found === undefined || !isSameHash(found.secret_sha256, computed)) return null
  const declared = await db
    .selectFrom('properties')
    .select(['event_name', 'property_key', 'scalar_kind', 'enum_values'])
    .where('site_id', '=', found.site_id)
    .where('ended_at', 'is', null)
    .execute()
  const names = await findNamesInForce(db, found.site_id)
  const origins = await listDevelopmentOrigins(db, found.site_id)
  const { revoked_at } = found
  const order_key = await readOrderKey(ctx, found)
  if (order_key === null) return null
  return {
    site_id: found.site_id,
    root_domain: found.root_domain,
    development_origins: new Set(origins.map(({ origin }) => origin)),
    is_development: false,
    is_disabled: found.disabled_at !== null,
    honours_opt_out: found.honours_opt_out !== 0,
    revocation: revoked_at === null ? null : { has_successor: await hasAcceptedSince(db, found.site_id, revoked_at) },
    names,
    properties: new Map(declared.map((row) => [propertyName(row.event_name, row.property_key), declaredProperty(row)])),
    order_key,
  }
}

/** Null when the site was removed meanwhile. */
async function readOrderKey(
  ctx: CollectorContext,
  { site_id, sealed_order_key }: { site_id: string; sealed_order_key: string },
): Promise<string | null> {
  const known = openOrderKey(ctx.secrets, sealed_order_key, site_id)
  if (known !== null) return known
  ctx.log.warn(
    { site_id },
    'the key that order ids are hashed with cannot be decrypted with the secret key in use: a new one replaces it, and orders ' +
      'match none from before; the old one is kept until its secret key is back',
  )
  return replaceOrderKey(ctx, site_id)
}

/** Whether a browser's event was accepted since a revocation, not counting events of the revoked key while cached. */
async function hasAcceptedSince(db: ControlDb, site_id: string, revoked_at: number): Promise<boolean> {
  const accepted = await db
    .selectFrom('collection_counts')
    .select('day')
    .where((is) => is.and({ site_id, outcome: 'accepted' }))
    .where('reason', '!=', FROM_SERVERS)
    .where('last_at', '>', revoked_at + KEY_CACHE_MS)
    .limit(1)
    .executeTakeFirst()
  return accepted !== undefined
}

function declaredProperty(row: Pick<PropertyRow, 'scalar_kind' | 'enum_values'>): DeclaredProperty {
  const values = row.enum_values === null ? [] : (JSON.parse(row.enum_values) as string[])
  return { scalar_kind: row.scalar_kind, values: new Set(values) }
}

/** Connects a zone: verifies the token, finds the zone, reads limits and hostnames, seals the token (decisions 3.7). */
import { randomUUID } from 'node:crypto'
import { HOUR_MS } from '#clock.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import type { SourceRow, ZoneRow } from '#control/tables.ts'
import { resumeAuthority } from '#crawlers/authority/disconnect-interruptions.ts'
import { Refusal } from '#refusal.ts'
import { belongsTo } from '#sites/root-domain.ts'
import type { Site } from '#sites/site.ts'
import { newSource } from '#sources/new-source.ts'
import type { CloudflareApi } from './api.ts'
import { apiOf, type ConnectContext, sealContext } from './context.ts'
import { readableEnd } from './due-hours.ts'
import { CloudflareFailure, type ZoneFault } from './failure.ts'
import { queryBudget } from './query-budget.ts'
import { fieldsBeyond } from './request-groups.ts'
import { findZone, type Hostnames, listHostnames, verifyToken, type Zone } from './token-and-zones.ts'
import { adoptHosts } from './zone-coverage.ts'
import { readLimits, type ZoneLimits } from './zone-limits.ts'

export interface ZoneConnection {
  source_id: string
  zone_id: string
  zone_name: string
  connection_status: SourceRow['connection_status']
  /** The first hour that polls read. */
  read_from: number
  /** Null: the token may not read DNS records (DNS Read is optional). */
  hostnames: Hostnames | null
}

/**
 * Connects a zone to a site, or gives a connected zone a new token; the zone keeps its source. `named` is the zone's
 * name or id; left out, the zone of the site's root domain or of a domain above it. Time in which the owner had
 * disconnected the zone stays a gap.
 * @throws Refusal invalid_input: the token or the zone is not suitable; reader_unavailable: Cloudflare does not answer.
 */
export async function connectZone(
  ctx: ConnectContext,
  { site, named, token: given }: { site: Pick<Site, 'id' | 'root_domain'>; named?: string; token: string },
): Promise<ZoneConnection> {
  const token = readToken(given)
  const { secrets } = ctx.cloudflare
  const asked = await readZone(ctx, apiOf(ctx, token), site.root_domain, named?.trim().toLowerCase()).catch(refuse)
  // The id is known before the transaction, because the token is sealed for it.
  const source_id = (await findZoneSource(ctx.control.db, site.id, asked.zone.id)) ?? randomUUID()
  const sealed_token = secrets.seal(token, sealContext(source_id))
  return ctx.control.transaction((tx) => storeConnection(ctx, tx, { ...asked, site, source_id, sealed_token }))
}

/** A token must be one word of visible ASCII, because it is sent in a header. */
function readToken(given: string): string {
  const token = given.trim()
  if (/^[\x21-\x7e]{20,512}$/.test(token)) return token
  throw new Refusal(
    'invalid_input',
    'that is not an API token of Cloudflare: give the token alone, as it was shown when you created it',
  )
}

interface ZoneFindings {
  zone: Zone
  limits: ZoneLimits
  hostnames: Hostnames | null
}

async function readZone(
  ctx: ConnectContext,
  api: CloudflareApi,
  root_domain: string,
  named: string | undefined,
): Promise<ZoneFindings> {
  await verifyToken(api)
  const zone = named === undefined ? await findZoneOf(api, root_domain) : await findZone(api, named)
  if (!belongsTo(root_domain, zone.name)) {
    throw new Refusal(
      'invalid_input',
      `the zone ${zone.name} is not that of ${root_domain}: connect it under its own site, or name the zone of ${root_domain}`,
    )
  }
  const limits = await readLimits(api, zone.id)
  const budget = queryBudget(ctx, api.token)
  const hostnames = await listHostnames(api, zone.id, () => budget.take())
  return { zone, limits, hostnames }
}

/** The zone of this name, or of the nearest domain above it that the token may see. */
async function findZoneOf(api: CloudflareApi, root_domain: string): Promise<Zone> {
  for (let name = root_domain; ; name = name.slice(name.indexOf('.') + 1)) {
    try {
      return await findZone(api, name)
    } catch (error) {
      const isMissing = error instanceof CloudflareFailure && error.fault === 'zone_missing'
      if (!isMissing || name.split('.').length <= 2) throw error
    }
  }
}

async function findZoneSource(db: ControlDb, site_id: string, zone_id: string): Promise<string | undefined> {
  const known = await db
    .selectFrom('zones')
    .innerJoin('sources', 'sources.id', 'zones.source_id')
    .select('sources.id')
    .where((is) => is.and({ 'sources.site_id': site_id, 'zones.zone_id': zone_id }))
    .executeTakeFirst()
  return known?.id
}

interface Connection extends ZoneFindings {
  site: Pick<Site, 'id' | 'root_domain'>
  source_id: string
  sealed_token: string
}

async function storeConnection(
  ctx: ConnectContext,
  tx: ControlTransaction,
  connection: Connection,
): Promise<ZoneConnection> {
  const { zone, hostnames, site, source_id } = connection
  const now = ctx.clock.now()
  const same = await findZoneSource(tx, site.id, zone.id)
  if (same !== undefined && same !== source_id) {
    throw new Refusal('conflict', `the zone ${zone.name} was being connected by someone else: repeat the command`)
  }
  const known = await tx
    .selectFrom('zones')
    .innerJoin('sources', 'sources.id', 'zones.source_id')
    .selectAll('zones')
    .select('sources.connection_status')
    .where('zones.source_id', '=', source_id)
    .executeTakeFirst()
  const row = zoneRow(connection, known, now)
  if (known === undefined) await insertZone(tx, connection, row, now)
  else await reconnectZone(tx, connection, { before: known, after: row }, now)
  const { read_from } = row
  return { source_id, zone_id: zone.id, zone_name: zone.name, connection_status: 'pending', read_from, hostnames }
}

/** The columns of `zones` that every connection sets. */
type ZoneColumns = Omit<ZoneRow, 'source_id' | 'last_poll_at'>
type KnownZone = ZoneRow & Pick<SourceRow, 'connection_status'>

function zoneRow(
  { zone, limits, hostnames, sealed_token }: Connection,
  known: KnownZone | undefined,
  now: number,
): ZoneColumns {
  const { not_older_than_ms, max_duration_ms, max_page_size, max_fields } = limits
  return {
    zone_id: zone.id,
    zone_name: zone.name,
    sealed_token,
    read_from: firstHour(known, limits, now),
    not_older_than_ms,
    max_duration_ms,
    max_page_size,
    ...namesOf(hostnames, known, now),
    refused_fields: JSON.stringify(fieldsBeyond(max_fields)),
    failed_polls: 0,
    error_code: null,
    next_poll_at: now,
  }
}

async function insertZone(
  tx: ControlTransaction,
  { site, zone, source_id }: Connection,
  row: ZoneColumns,
  now: number,
): Promise<void> {
  const source = newSource({
    id: source_id,
    site_id: site.id,
    source_type: 'cloudflare_zone',
    name: zone.name,
    connection_status: 'pending',
    created_at: now,
  })
  await tx
    .insertInto('sources')
    .values({ ...source, connected_at: now })
    .execute()
  await tx
    .insertInto('zones')
    .values({ ...row, source_id, last_poll_at: null })
    .execute()
}

/** Gives a zone its new token; what it covered stays. */
async function reconnectZone(
  tx: ControlTransaction,
  { site, source_id }: Connection,
  { before, after }: { before: KnownZone; after: ZoneColumns },
  now: number,
): Promise<void> {
  await tx.updateTable('zones').set(after).where('source_id', '=', source_id).execute()
  // With another token these hours may be read: they are tried again at once.
  await tx.deleteFrom('failed_hours').where('source_id', '=', source_id).execute()
  await adoptHosts(tx, { source_id, root_domain: site.root_domain }, before, after)
  await tx.updateTable('sources').set({ connection_status: 'pending' }).where('id', '=', source_id).execute()
  await resumeAuthority(tx, { id: source_id }, now)
}

/** The names of DNS records. If the token may not read them, earlier ones stay, with the time of their check. */
function namesOf(
  read: Hostnames | null,
  known: Pick<ZoneRow, 'proxied' | 'unproxied' | 'hostnames_checked_at'> | undefined,
  now: number,
): Pick<ZoneRow, 'proxied' | 'unproxied' | 'hostnames_checked_at'> {
  if (read !== null) {
    const { proxied, unproxied } = read
    return {
      proxied: JSON.stringify(proxied),
      unproxied: JSON.stringify(unproxied),
      hostnames_checked_at: now,
    }
  }
  const { proxied = null, unproxied = null, hostnames_checked_at = null } = known ?? {}
  return { proxied, unproxied, hostnames_checked_at }
}

/**
 * The first hour to read: as far back as Cloudflare answers; a zone whose token was rejected continues where it was.
 */
function firstHour(
  known: Pick<ZoneRow & SourceRow, 'read_from' | 'connection_status'> | undefined,
  { not_older_than_ms }: ZoneLimits,
  now: number,
): number {
  if (known === undefined) return Math.floor((now - not_older_than_ms) / HOUR_MS) * HOUR_MS
  return known.connection_status === 'disconnected' ? readableEnd(now) - HOUR_MS : known.read_from
}

/** Turns a failure into a refusal: faults that the owner can correct are invalid input. */
function refuse(error: unknown): never {
  if (!(error instanceof CloudflareFailure)) throw error
  const advice = ADVICE[error.fault]
  if (advice === undefined) {
    throw new Refusal('reader_unavailable', `${error.message} Nothing was connected: try again in some minutes.`)
  }
  throw new Refusal('invalid_input', `${error.message} ${advice}`)
}

const ADVICE: Partial<Record<ZoneFault, string>> = {
  token_rejected: 'Create a user API token under My Profile, API Tokens, with Zone Analytics Read and Zone Read.',
  not_permitted: 'Give the token Zone Analytics Read and Zone Read, and include this zone in its resources.',
  zone_missing: 'Include the zone in the resources of the token, or name another with --zone.',
}

/** Reads what a token permits: the token itself, its zones and their DNS records (decisions 3.7). */
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { ask, type CloudflareApi } from './api.ts'
import { CloudflareFailure } from './failure.ts'

const Token = Compile(Type.Object({ status: Type.String() }))

/** @throws CloudflareFailure token_rejected: the token is unknown, disabled or expired. */
export async function verifyToken(api: CloudflareApi): Promise<void> {
  const reported = await ask(api, '/user/tokens/verify', Token).catch((error: unknown) => {
    const isRefused =
      error instanceof CloudflareFailure && (error.fault === 'not_permitted' || error.fault === 'query_refused')
    if (!isRefused) throw error
    return { result: { status: 'unknown' } }
  })
  const { status } = reported.result
  if (status === 'active') return
  const word = /^(?:disabled|expired)$/.test(status) ? status : 'unknown to Cloudflare'
  throw new CloudflareFailure('token_rejected', `The token is ${word}.`)
}

export interface Zone {
  id: string
  name: string
}

const ZONE_ID = /^[0-9a-f]{32}$/
const ZoneShape = Type.Object({ id: Type.String({ pattern: ZONE_ID.source }), name: Type.String({ maxLength: 253 }) })
const OneZone = Compile(ZoneShape)
const Zones = Compile(Type.Array(ZoneShape))

/** The zone with this name or id. @throws CloudflareFailure zone_missing: the token may see no such zone. */
export async function findZone(api: CloudflareApi, named: string): Promise<Zone> {
  if (ZONE_ID.test(named)) {
    const { result } = await ask(api, `/zones/${named}`, OneZone)
    return { id: result.id, name: result.name.toLowerCase() }
  }
  const { result } = await ask(api, `/zones?name=${encodeURIComponent(named)}`, Zones)
  const zone = result.find(({ name }) => name.toLowerCase() === named)
  if (zone === undefined) throw new CloudflareFailure('zone_missing', `The token does not see a zone named ${named}.`)
  return { id: zone.id, name: named }
}

export interface Hostnames {
  /** Names of proxied records, ascending; a wildcard is as in the record. */
  proxied: string[]
  /** Names whose records are all unproxied. */
  unproxied: string[]
}

const Records = Compile(
  Type.Array(
    Type.Object({ name: Type.String({ maxLength: 255 }), type: Type.String(), proxied: Type.Optional(Type.Boolean()) }),
  ),
)
const Pages = Compile(Type.Object({ total_pages: Type.Integer({ minimum: 0 }) }))
const PER_PAGE = 100
const MAX_PAGES = 50
/** The most hosts of a site (rules 3). */
const MAX_NAMES = 1_000
/** Only these answer requests over HTTP. */
const HOST_RECORDS = /^(?:A|AAAA|CNAME)$/

/**
 * DNS names of a zone, at most 1,000 proxied and 1,000 unproxied ones; null: the token may not read them (DNS Read).
 */
export async function listHostnames(
  api: CloudflareApi,
  zone_id: string,
  mayAsk: () => Promise<boolean>,
): Promise<Hostnames | null> {
  const names = new Map<string, boolean>()
  for (let page = 1; page <= MAX_PAGES; page++) {
    if (!(await mayAsk())) return null
    const read = await readRecords(api, zone_id, page)
    if (read === null) return null
    for (const { name, type, proxied } of read.records) {
      const host = name.toLowerCase()
      if (HOST_RECORDS.test(type)) names.set(host, names.get(host) === true || proxied === true)
    }
    if (page >= read.total_pages) break
  }
  const some = (through: boolean) =>
    [...names]
      .filter(([, proxied]) => proxied === through)
      .map(([name]) => name)
      .sort()
      .slice(0, MAX_NAMES)
  return { proxied: some(true), unproxied: some(false) }
}

async function readRecords(api: CloudflareApi, zone_id: string, page: number) {
  try {
    const { result, result_info } = await ask(
      api,
      `/zones/${zone_id}/dns_records?per_page=${PER_PAGE}&page=${page}`,
      Records,
    )
    return { records: result, total_pages: Pages.Check(result_info) ? result_info.total_pages : page }
  } catch (error) {
    if (error instanceof CloudflareFailure && error.fault === 'not_permitted') return null
    throw error
  }
}

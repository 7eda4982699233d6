/** JSON lists: `{prefixes: [{ipv4Prefix}]}` of most vendors (draft-illyes-aipref-jafar), Fastly, AWS, plain arrays. */
import { type RawList, refuse } from './raw-list.ts'

const ENTRY_FIELDS = ['ipv4Prefix', 'ipv6Prefix', 'ip_prefix', 'ipv6_prefix', 'prefix', 'cidr', 'ip', 'address']
const ARRAY_FIELDS = [
  'prefixes',
  'ipv4_prefixes',
  'ipv6_prefixes',
  'addresses',
  'ipv6_addresses',
  'ipv4',
  'ipv6',
  'ips',
  'ip_ranges',
  'ranges',
  'cidrs',
  'ipv4_cidrs',
  'ipv6_cidrs',
  'subnets',
]
const DATE_FIELDS = ['creationTime', 'createDate', 'syncTime', 'lastChangedAt', 'updated', 'last_updated']

export function entriesOfJson(json: unknown): RawList {
  const entries = arraysOf(json).flatMap((items) => items.map(entryOf))
  const fields: Record<string, unknown> = Array.isArray(json) ? {} : Object(json)
  return { entries, published_at: dateOf(fields), is_whole_as: fields.authoritative === false || 'asn' in fields }
}

function arraysOf(json: unknown): unknown[][] {
  if (Array.isArray(json)) return [json]
  const fields: Record<string, unknown> = Object(json)
  const arrays = ARRAY_FIELDS.flatMap((name) => {
    const value = fields[name]
    if (value === undefined || value === null) return []
    // {"subnets": {"ipv4": [...], "ipv6": [...]}}
    return Array.isArray(value) ? [value] : arraysOf(value)
  })
  return arrays.length > 0 ? arrays : refuse('its JSON has no field such as "prefixes" with an array of networks')
}

function entryOf(item: unknown): string {
  if (typeof item === 'string') return item
  const fields: Record<string, unknown> = Object(item)
  for (const name of ENTRY_FIELDS) {
    const value = fields[name]
    if (typeof value === 'string') return value
  }
  return refuse(`the entry ${JSON.stringify(item)?.slice(0, 80)} names no network`)
}

/** Most vendors write UTC times without a zone. */
function dateOf(fields: Record<string, unknown>): number | null {
  for (const name of DATE_FIELDS) {
    const text = fields[name]
    if (typeof text !== 'string') continue
    const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}${text.includes('T') ? 'Z' : ''}`)
    if (!Number.isNaN(at)) return at
  }
  return null
}

/** The limits of the zone's plan, from the settings node of the dataset (registry notes 6.2). */
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { type CloudflareApi, query } from './api.ts'
import { CloudflareFailure } from './failure.ts'

export interface ZoneLimits {
  /** How far back the provider answers. */
  not_older_than_ms: number
  /** The longest slice of a query. */
  max_duration_ms: number
  /** The most rows of an answer; an answer with that many is capped. */
  max_page_size: number
  max_fields: number
}

const QUERY = `query ($zone: string) {
  viewer {
    zones(filter: {zoneTag: $zone}) {
      settings {
        httpRequestsAdaptiveGroups { enabled notOlderThan maxDuration maxPageSize maxNumberOfFields }
      }
    }
  }
}`

const Node = Type.Object({
  enabled: Type.Boolean(),
  notOlderThan: Type.Integer({ minimum: 1 }),
  maxDuration: Type.Integer({ minimum: 1 }),
  maxPageSize: Type.Integer({ minimum: 1 }),
  maxNumberOfFields: Type.Integer({ minimum: 1 }),
})
const Answer = Compile(
  Type.Object({
    viewer: Type.Object({
      zones: Type.Array(Type.Object({ settings: Type.Object({ httpRequestsAdaptiveGroups: Node }) }), { maxItems: 1 }),
    }),
  }),
)

/** The documented limit of Cloudflare, which is large enough. */
const MAX_PAGE_SIZE = 10_000

/** @throws CloudflareFailure not_permitted: the dataset is not enabled for the token. */
export async function readLimits(api: CloudflareApi, zone_id: string): Promise<ZoneLimits> {
  const { viewer } = await query(api, QUERY, { zone: zone_id }, Answer)
  const [zone] = viewer.zones
  if (zone === undefined) throw new CloudflareFailure('zone_missing', 'Cloudflare knows no such zone for this token.')
  const node = zone.settings.httpRequestsAdaptiveGroups
  if (!node.enabled) {
    throw new CloudflareFailure('not_permitted', 'Cloudflare does not give this token the zone’s request analytics.')
  }
  return {
    not_older_than_ms: node.notOlderThan * 1_000,
    max_duration_ms: node.maxDuration * 1_000,
    max_page_size: Math.min(MAX_PAGE_SIZE, node.maxPageSize),
    max_fields: node.maxNumberOfFields,
  }
}

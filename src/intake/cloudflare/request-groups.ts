/** Groups of requests in a slice of time, as the provider counts them (registry notes 6.2). */
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { type CloudflareApi, query } from './api.ts'
import { CloudflareFailure } from './failure.ts'

/** Fields that a plan may refuse, and that can be left out; the last ones first. */
export const OPTIONAL_FIELDS = [
  'clientRequestHTTPHost',
  'clientRequestPath',
  'edgeResponseStatus',
  'sampleSize',
  'verifiedBotCategory',
  'clientRequestHTTPMethodName',
  'securityAction',
] as const
export type OptionalField = (typeof OPTIONAL_FIELDS)[number]

/** `count`, `sampleInterval` and `userAgent`, which are always needed. */
const NEEDED_FIELDS = 3

/** The optional fields to leave out, if a query may have `max_fields`. */
export function fieldsBeyond(max_fields: number): OptionalField[] {
  return OPTIONAL_FIELDS.slice(Math.max(0, max_fields - NEEDED_FIELDS))
}

/** The optional field of a refusal's lower-case name, or null. `confidence` asks for the sample's size. */
export function optionalField(name: string | null): OptionalField | null {
  const field = name === 'confidence' ? 'samplesize' : name
  return OPTIONAL_FIELDS.find((candidate) => candidate.toLowerCase() === field) ?? null
}

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Group = Type.Object({
  count: Count,
  avg: Type.Object({ sampleInterval: Type.Number({ minimum: 0 }) }),
  confidence: Type.Optional(Type.Object({ count: Type.Object({ sampleSize: Count }) })),
  dimensions: Type.Object({
    userAgent: Type.String(),
    clientRequestHTTPHost: Type.Optional(Type.String()),
    clientRequestPath: Type.Optional(Type.String()),
    clientRequestHTTPMethodName: Type.Optional(Type.String()),
    edgeResponseStatus: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
    verifiedBotCategory: Type.Optional(Type.String()),
    securityAction: Type.Optional(Type.String()),
  }),
})
export type Group = Static<typeof Group>

const Answer = Compile(
  Type.Object({
    viewer: Type.Object({
      zones: Type.Array(Type.Object({ httpRequestsAdaptiveGroups: Type.Array(Group) }), { maxItems: 1 }),
    }),
  }),
)

export interface GroupsInput {
  zone_id: string
  /** Epoch milliseconds, [from, to), whole seconds. */
  from: number
  to: number
  limit: number
  /** Fields that the plan refuses. */
  without: ReadonlySet<OptionalField>
}

/** Groups of eyeball requests in the slice; `limit` groups are a capped answer, which may lack some. */
export async function readGroups(api: CloudflareApi, asked: GroupsInput): Promise<Group[]> {
  const variables = { zone: asked.zone_id, from: secondText(asked.from), to: secondText(asked.to) }
  const { viewer } = await query(api, queryText(asked), variables, Answer)
  const [zone] = viewer.zones
  if (zone === undefined) throw new CloudflareFailure('zone_missing', 'Cloudflare knows no such zone for this token.')
  return zone.httpRequestsAdaptiveGroups
}

/** The query: only eyeball requests, which clients sent, without sub-requests of Workers (decisions 3.7). */
function queryText({ limit, without }: GroupsInput): string {
  const dimensions = ['userAgent', ...OPTIONAL_FIELDS.filter((field) => field !== 'sampleSize' && !without.has(field))]
  const sampleSize = without.has('sampleSize') ? '' : 'confidence(level: 0.95) { count { sampleSize } }'
  return `query ($zone: string, $from: Time, $to: Time) {
  viewer {
    zones(filter: {zoneTag: $zone}) {
      httpRequestsAdaptiveGroups(
        limit: ${limit}
        filter: {datetime_geq: $from, datetime_lt: $to, requestSource: "eyeball"}
      ) {
        count
        avg { sampleInterval }
        ${sampleSize}
        dimensions { ${dimensions.join(' ')} }
      }
    }
  }
}`
}

function secondText(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z')
}

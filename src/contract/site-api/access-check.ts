import Type from 'typebox'
import { Count, Instant, oneOf, orNull } from '../fields.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { none } from '../parameters.ts'

const text = Type.String()
const status = Type.Integer({ minimum: 100, maximum: 999 })

const Dns = Type.Object({
  state: oneOf(['resolved', 'failed']),
  code: orNull(text),
  addresses: Type.Array(text),
})

const Tls = Type.Object({
  state: oneOf(['valid', 'invalid', 'none']),
  code: orNull(text),
  protocol: orNull(text),
  issuer: orNull(text),
  expires_at: orNull(Instant),
  names_match: orNull(Type.Boolean()),
})

const CrawlerDecision = Type.Object({
  crawler_id: text,
  token: orNull(text),
  decision: oneOf(['allowed', 'disallowed', 'unknown']),
  group: orNull(text),
  rule: orNull(text),
  line: orNull(Type.Integer({ minimum: 1 })),
  deviation: orNull(text),
})

const Robots = Type.Object({
  url: text,
  fetched_status: orNull(status),
  fetched_at: Instant,
  sha256: orNull(text),
  size_bytes: orNull(Count),
  truncated: Type.Boolean(),
  per_crawler: Type.Array(CrawlerDecision),
})

const Http = Type.Object({
  state: oneOf(['answered', 'timed_out', 'refused', 'reset', 'too_many_redirects', 'loop']),
  hops: Type.Array(Type.Object({ url: text, status, location: orNull(text), ms: Count })),
  final_status: orNull(status),
  content_type: orNull(text),
  body_bytes: Count,
  body_truncated: Type.Boolean(),
})

const Directives = Type.Object({
  meta_robots: Type.Array(text),
  x_robots_tag: Type.Array(Type.Object({ agent: orNull(text), directives: Type.Array(text) })),
  content_signal: orNull(text),
  content_usage: orNull(text),
  llms_txt: oneOf(['present', 'absent', 'unknown']),
})

const Challenge = Type.Object({
  state: oneOf(['detected', 'not_detected', 'unknown']),
  vendor: orNull(text),
  signals: Type.Array(text),
})

const LastRequest = Type.Object({
  crawler_id: text,
  last_observed_at: orNull(Instant),
  last_status: orNull(status),
})

/** Every member is always there; those after a step that failed are null (rules 8.5). */
export const AccessCheckOutput = Type.Object(
  {
    checked_at: Instant,
    scope: Type.Literal('current_state_only'),
    url: text,
    normalized_url: text,
    agent: text,
    dns: Dns,
    tls: orNull(Tls),
    robots: orNull(Robots),
    http: orNull(Http),
    page_directives: orNull(Directives),
    challenge: orNull(Challenge),
    organic: orNull(Type.Array(LastRequest)),
    limitations: Type.Array(text),
  },
  { title: 'AccessCheck', description: 'Current state only: what Spoor itself was answered just now.' },
)

export const runAccessCheck = defineSiteOperation({
  id: 'runAccessCheck',
  method: 'POST',
  path: '/v1/sites/{site}/access-checks',
  tag: 'Issues',
  summary: 'Policy evidence for one URL, as it stands now',
  params: none,
  query: none,
  body: Type.Object(
    {
      url: Type.String({
        format: 'uri',
        pattern: '^[hH][tT][tT][pP][sS]?://',
        description: 'An http or https URL on this site.',
      }),
    },
    { title: 'AccessCheckRequest', additionalProperties: false },
  ),
  output: AccessCheckOutput,
  refusals: [400, 401, 404, 405, 422, 500],
  mcp: { tool: 'run_access_check' },
})
export type AccessCheck = OutputOf<typeof runAccessCheck>
export type AccessCheckInput = InputOf<typeof runAccessCheck>

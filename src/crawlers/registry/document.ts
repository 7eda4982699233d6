import Type, { type Static } from 'typebox'
import { VERSION_PATTERN } from './version.ts'

const Url = Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 500 })
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const Words = Type.String({ minLength: 1, maxLength: 200 })
/** The shortest token: shorter ones would match half of all user agents. */
const Token = Type.String({ minLength: 3, maxLength: 100 })
const strict = { additionalProperties: false }

const Purpose = Type.Enum(['search', 'assistant', 'training', 'unknown'])

const PurposeSource = Type.Object(
  {
    url: Url,
    evidence: Type.Enum(['vendor_page', 'vendor_page_via_dated_copy', 'vendor_page_paraphrased_by_reviewer']),
    checked_on: Type.Union([Day, Type.Null()]),
  },
  strict,
)

const DeclaredUse = Type.Object({ purpose: Type.Union([Purpose, Type.Null()]), use: Words }, strict)

const Verification = Type.Object(
  {
    ip_ranges_url: Type.Union([Url, Type.Null()]),
    /** `.example.com`: every name below it; `bot-*.example.com`: names of one further label that begins so. */
    rdns_suffixes: Type.Array(Type.String({ pattern: '^([a-z0-9-]+\\*)?\\.[a-z0-9.-]+$', maxLength: 200 })),
    web_bot_auth: Type.Union([Type.Boolean(), Type.Null()]),
    signature_agent: Type.Union([Url, Type.Null()]),
    source_url: Url,
  },
  strict,
)

/** How the vendor documents that it deviates from RFC 9309 (rules 8.4); see VendorReading. */
const RobotsReading = Type.Object(
  {
    fallback_tokens: Type.Optional(Type.Array(Token)),
    on_429: Type.Optional(Type.Literal('unreachable')),
    on_unfetchable: Type.Optional(Type.Literal('absent')),
    over_limit: Type.Optional(Type.Enum(['rest_ignored', 'absent'])),
    may_ignore: Type.Optional(Type.Literal(true)),
    may_follow_others: Type.Optional(Type.Literal(true)),
    cache_hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 8_760 })),
    source_url: Url,
  },
  strict,
)

const Entry = Type.Object(
  {
    crawler_id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$', maxLength: 64 }),
    display_name: Words,
    platform: Type.Union([Words, Type.Null()]),
    scope: Type.Enum(['ai', 'search_engine', 'agent', 'data_provider', 'ads']),
    status: Type.Enum(['documented', 'reported', 'legacy', 'disputed', 'control_token']),
    user_agent_tokens: Type.Array(Token),
    user_agent_excludes: Type.Array(Token),
    match: Type.Enum(['token', 'substring']),
    robots_only: Type.Boolean(),
    robots_token: Type.Union([Words, Type.Null()]),
    purpose: Purpose,
    purpose_source: Type.Union([PurposeSource, Type.Null()]),
    also_declared: Type.Array(DeclaredUse),
    verification: Verification,
    robots: Type.Optional(RobotsReading),
    example_user_agents: Type.Array(Type.String({ minLength: 1, maxLength: 1000 })),
    first_seen: Type.Union([Day, Type.Null()]),
  },
  strict,
)

const Signs = Type.Object(
  {
    words: Type.Array(Token),
    links: Type.Array(Type.Enum(['url', 'email'])),
    programs: Type.Array(Token),
    whole_agents: Type.Array(Token),
    people: Type.Array(Token),
  },
  strict,
)

/** The crawler registry as a file: its version, the signs of automation and the crawlers (decisions 3.3). */
export const RegistryDocument = Type.Object(
  { version: Type.String({ pattern: VERSION_PATTERN }), automation_signs: Signs, entries: Type.Array(Entry) },
  strict,
)

export type RegistryDocument = Static<typeof RegistryDocument>
/**
 * One crawler. `purpose` is the first declared purpose, `also_declared` further ones. `checked_on` is the day on which
 * the vendor's page was read. `first_seen` is its first day in a public list, not a launch date; null: unknown.
 */
export type RegistryEntry = Static<typeof Entry>
/** The signs of automation in agents without an entry; automation-signs.ts searches for each list (rules 4). */
export type AutomationSigns = Static<typeof Signs>

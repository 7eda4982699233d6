/** Sources of evidence, and the tokens that logs are delivered with. */
import Type from 'typebox'
import { Count, Day, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { CONNECTION_STATUSES, SOURCE_TYPES } from '../vocabulary.ts'
import { site, siteOperation, source } from './define.ts'

const sourceFields = {
  id: Uuid,
  site_id: Uuid,
  source_type: oneOf(SOURCE_TYPES),
  name: Type.String(),
  connection_status: oneOf(CONNECTION_STATUSES),
  is_primary: Type.Boolean(),
  created_at: Instant,
  connected_at: orNull(Instant),
  data_through: orNull(Instant),
  moved_to: orNull(Uuid),
}
const Source = Type.Object(sourceFields)

const ListedSource = Type.Object({
  ...sourceFields,
  /** An upload whose hosts other primaries have later evidence of; its days count on. */
  has_ended: Type.Boolean(),
  /** How many are in force. */
  tokens: Count,
  error_code: orNull(Type.String()),
  /** Hours of a zone that could not be read; each is tried again. */
  failed_hours: Type.Array(
    Type.Object({ hour: Instant, attempts: Count, error_code: Type.String(), next_try_at: Instant }),
  ),
})

const issuedFields = { id: Uuid, secret: Type.String(), prefix: Type.String() }
const Token = Type.Object({
  id: Uuid,
  source_id: Uuid,
  name: Type.String(),
  prefix: Type.String(),
  created_at: Instant,
  last_used_at: orNull(Instant),
  revoked_at: orNull(Instant),
})

const Sender = Type.Object({
  source_id: Uuid,
  name: Type.String(),
  token_name: orNull(Type.String()),
  last_record_at: Instant,
  last_received_at: Instant,
  retired_at: orNull(Instant),
  /** While it is silent until then, days are partial. */
  expected_until: Instant,
  silent_days: Type.Array(Day),
})

const permission = 'manage_sources'

export const connectSource = siteOperation({
  id: 'source.connect',
  summary: 'Connect a Cloudflare zone, or give a connected one a new token',
  permission,
  effect: 'write',
  /** Without a zone: the one of the site's root domain. */
  input: Type.Object({ site, zone: Type.Optional(Type.String()), token: Type.String() }),
  output: Type.Object({
    source_id: Uuid,
    zone_id: Type.String(),
    zone_name: Type.String(),
    connection_status: oneOf(CONNECTION_STATUSES),
    read_from: Instant,
    /** Null: the token may not read DNS records. */
    hostnames: orNull(Type.Object({ proxied: Type.Array(Type.String()), unproxied: Type.Array(Type.String()) })),
    root_domain: Type.String(),
  }),
})

export const addSource = siteOperation({
  id: 'source.add',
  summary: 'Make a source that logs are delivered to over HTTPS, with its first token',
  permission,
  effect: 'write',
  input: Type.Object({ site, type: Type.Literal('https_intake'), name: Type.String() }),
  output: Type.Object({ ...sourceFields, root_domain: Type.String(), token: Type.Object(issuedFields) }),
})

export const listSources = siteOperation({
  id: 'source.list',
  summary: 'The sources of a site',
  permission: 'read',
  effect: 'read',
  input: Type.Object({ site }),
  output: Type.Object({ sources: Type.Array(ListedSource) }),
})

export const createToken = siteOperation(
  {
    id: 'source.token_create',
    summary: 'Make a further token of an intake source; its secret is shown once',
    permission,
    effect: 'write',
    input: Type.Object({ source, name: Type.String() }),
    output: Type.Object({ ...issuedFields, source_id: Uuid }),
  },
  'source',
)

export const listTokens = siteOperation(
  {
    id: 'source.token_list',
    summary: 'The tokens of a source, revoked ones too',
    permission,
    effect: 'read',
    input: Type.Object({ source }),
    output: Type.Object({ tokens: Type.Array(Token) }),
  },
  'source',
)

export const revokeToken = siteOperation(
  {
    id: 'source.token_revoke',
    summary: 'End a token, named by its id, prefix or secret',
    permission,
    effect: 'write',
    input: Type.Object({ token: Type.String() }),
    output: Token,
  },
  'token',
)

export const setPrimary = siteOperation(
  {
    id: 'source.primary',
    summary: 'Let a source count towards the answers of its site, or not',
    permission: 'choose_primary',
    effect: 'write',
    input: Type.Object({ source, is_primary: Type.Boolean() }),
    output: Source,
  },
  'source',
)

export const disconnectSource = siteOperation(
  {
    id: 'source.disconnect',
    summary: 'Take nothing more from a source; what it delivered stays',
    permission,
    effect: 'write',
    input: Type.Object({ source }),
    output: Source,
  },
  'source',
)

export const reconnectSource = siteOperation(
  {
    id: 'source.reconnect',
    summary: 'Take evidence of a disconnected source again',
    permission,
    effect: 'write',
    input: Type.Object({ source }),
    output: Source,
  },
  'source',
)

export const retireUpload = siteOperation(
  {
    id: 'source.retire',
    summary: 'End the unnamed upload of a site, or make its days those of a named server',
    permission,
    effect: 'write',
    input: Type.Object({ source, into: Type.Optional(Type.String()) }),
    output: Source,
  },
  'source',
)

export const listSenders = siteOperation(
  {
    id: 'source.sender_list',
    summary: 'The senders of an intake source',
    permission: 'read',
    effect: 'read',
    input: Type.Object({ source }),
    output: Type.Object({ senders: Type.Array(Sender) }),
  },
  'source',
)

export const retireSender = siteOperation(
  {
    id: 'source.sender_retire',
    summary: 'Expect nothing more of a sender',
    permission,
    effect: 'write',
    input: Type.Object({ source, sender: Type.String() }),
    output: Sender,
  },
  'source',
)

export const sourceOperations = [
  connectSource,
  addSource,
  listSources,
  createToken,
  listTokens,
  revokeToken,
  setPrimary,
  disconnectSource,
  reconnectSource,
  retireUpload,
  listSenders,
  retireSender,
] as const

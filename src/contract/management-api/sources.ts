/** Sources of evidence, and the tokens that logs are delivered with. */
import Type from 'typebox'
import { Count, Day, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { CONNECTION_STATUSES, SOURCE_TYPES, VANTAGES } from '../vocabulary.ts'
import { onSite } from './define.ts'

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
  /** Null: nothing is known of it, and it is taken for the origin. */
  vantage: orNull(oneOf(VANTAGES)),
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
const change = { permission, effect: 'write' } as const

export const sourceOperations = [
  onSite('source.connect', 'Connect a Cloudflare zone, or give a connected one a new token', {
    ...change,
    /** Without a zone: the one of the site's root domain. */
    input: { zone: Type.Optional(Type.String()), token: Type.String() },
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
  }),
  onSite('source.add', 'Make a source that logs are delivered to over HTTPS, with its first token', {
    ...change,
    input: { type: Type.Literal('https_intake'), name: Type.String() },
    output: Type.Object({ ...sourceFields, root_domain: Type.String(), token: Type.Object(issuedFields) }),
  }),
  onSite('source.list', 'The sources of a site', { output: Type.Object({ sources: Type.Array(ListedSource) }) }),
  onSite('source.token_create', 'Make a further token of an intake source; its secret is shown once', {
    subject: 'source',
    ...change,
    input: { name: Type.String() },
    output: Type.Object({ ...issuedFields, source_id: Uuid }),
  }),
  onSite('source.token_list', 'The tokens of a source, revoked ones too', {
    subject: 'source',
    permission,
    output: Type.Object({ tokens: Type.Array(Token) }),
  }),
  onSite('source.token_revoke', 'End a token, named by its id, prefix or secret', {
    subject: 'token',
    ...change,
    output: Token,
  }),
  onSite('source.primary', 'Let a source count towards the answers of its site, or not', {
    subject: 'source',
    permission: 'choose_primary',
    effect: 'write',
    input: { is_primary: Type.Boolean() },
    output: Source,
  }),
  onSite('source.vantage', 'Say whether a source sees what the edge or what the origin answered', {
    subject: 'source',
    ...change,
    input: { vantage: oneOf(VANTAGES) },
    output: Source,
  }),
  onSite('source.disconnect', 'Take nothing more from a source; what it delivered stays', {
    subject: 'source',
    ...change,
    output: Source,
  }),
  onSite('source.reconnect', 'Take evidence of a disconnected source again', {
    subject: 'source',
    ...change,
    output: Source,
  }),
  onSite('source.retire', 'End the unnamed upload of a site, or make its days those of a named server', {
    subject: 'source',
    ...change,
    input: { into: Type.Optional(Type.String()) },
    output: Source,
  }),
  onSite('source.sender_list', 'The senders of an intake source', {
    subject: 'source',
    output: Type.Object({ senders: Type.Array(Sender) }),
  }),
  onSite('source.sender_retire', 'Stop expecting it of a sender', {
    subject: 'source',
    ...change,
    input: { sender: Type.String() },
    output: Sender,
  }),
] as const

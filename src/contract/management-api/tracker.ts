/** The tracker of a site, its keys, and whether it honours visitors who ask not to be counted. */
import Type from 'typebox'
import { Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { onSite, siteFields } from './define.ts'

const kind = oneOf(['public', 'server'])
/** `prefix` is the whole key when it is public. */
const TrackerKey = Type.Object({
  id: Uuid,
  site_id: Uuid,
  kind,
  prefix: Type.String(),
  created_at: Instant,
  revoked_at: orNull(Instant),
})

const Tracker = Type.Object({
  site_id: Uuid,
  root_domain: Type.String(),
  state: oneOf(['enabled', 'disabled']),
  enabled_at: Instant,
  disabled_at: orNull(Instant),
  first_event_at: orNull(Instant),
  last_event_at: orNull(Instant),
  /** The newest in force; null when all are revoked. */
  public_id: orNull(Type.String()),
  snippet: orNull(Type.String()),
  keys: Type.Array(TrackerKey),
})

const DevelopmentOrigin = Type.Object({
  /** Scheme, host and port, as browsers send them. */
  origin: Type.String(),
  added_at: Instant,
})
const origin = Type.String({ description: 'scheme, host and port, for example http://localhost:3000' })
const DevelopmentOrigins = Type.Object({
  ...siteFields,
  /** The origin that was added or removed. */
  origin: Type.Optional(Type.String()),
  /** What pages there carry; null when the tracker has no public key. */
  snippet: orNull(Type.String()),
  origins: Type.Array(DevelopmentOrigin),
})

const change = { permission: 'switch_tracker', effect: 'write' } as const

export const trackerOperations = [
  onSite('tracker.enable', 'Switch the tracker of a site on', {
    ...change,
    output: Tracker,
  }),
  onSite('tracker.disable', 'Switch the tracker of a site off', {
    ...change,
    output: Tracker,
  }),
  onSite('tracker.show', 'The tracker of a site, its snippet and its keys', { output: Tracker }),
  onSite('tracker.key_create', 'Make a further key of a tracker; that of a server is shown once', {
    permission: 'manage_keys',
    effect: 'write',
    input: { kind },
    output: Type.Object({
      ...TrackerKey.properties,
      root_domain: Type.String(),
      secret: Type.String(),
      /** Of a public key. */
      snippet: Type.Optional(Type.String()),
    }),
  }),
  onSite('tracker.key_list', 'The keys of a tracker, revoked ones too', {
    output: Type.Object({ keys: Type.Array(TrackerKey) }),
  }),
  onSite('tracker.key_revoke', 'End a key of a tracker, named by its id, prefix or whole text', {
    permission: 'manage_keys',
    effect: 'write',
    input: { key: Type.String() },
    output: TrackerKey,
  }),
  onSite('tracker.origin_add', 'Let pages of a development origin send events, which are kept apart', {
    ...change,
    input: { origin },
    output: DevelopmentOrigins,
  }),
  onSite('tracker.origin_list', 'The development origins of a site', { output: DevelopmentOrigins }),
  onSite('tracker.origin_remove', 'Take nothing more from a development origin; what it sent is kept', {
    ...change,
    input: { origin },
    output: DevelopmentOrigins,
  }),
  onSite('tracker.opt_out', 'Whether visitors who ask not to be counted are left out; `honours_opt_out` changes it', {
    permission: 'set_opt_out',
    effect: 'write',
    input: { honours_opt_out: Type.Optional(Type.Boolean()) },
    output: Type.Object({ ...siteFields, honours_opt_out: Type.Boolean() }),
  }),
] as const

/** Why collection refuses a whole request, or one event of it (rules 6). Every code is stable. */
import { quoted } from '#foreign-text.ts'
import type { NextStep } from '#next-step.ts'
import { AdvisedError } from '#refusal.ts'

/** A whole request is refused; each surface maps a kind to its own status. */
export type CollectRefusalKind =
  | 'malformed'
  | 'unauthenticated'
  | 'foreign_origin'
  | 'development_origin'
  | 'disabled'
  | 'too_slow'
  | 'too_large'
  | 'rate_limited'
  | 'unavailable'

/** Thrown for a refused request: none of its events is stored. */
export class CollectRefusal extends AdvisedError {
  readonly kind: CollectRefusalKind
  /** Stable; the events of the request are counted under it. */
  readonly code: string
  /** Seconds after which the sender may retry; null if a retry cannot succeed. */
  readonly retry_after: number | null
  constructor(
    kind: CollectRefusalKind,
    code: string,
    message: string,
    { retry_after = null, next }: { retry_after?: number | null; next?: NextStep } = {},
  ) {
    super(message, next)
    this.name = 'CollectRefusal'
    this.kind = kind
    this.code = code
    this.retry_after = retry_after
  }
}

/** docs/operating/collection.md says for each code what to do. */
export const EVENT_FAULT_CODES = [
  'malformed_event',
  'unknown_field',
  'unsupported_version',
  'other_site_key',
  'unknown_type',
  'invalid_url',
  'url_of_another_site',
  'invalid_referrer',
  'invalid_name',
  'reserved_name',
  'unexpected_name',
  'invalid_props',
  'too_many_properties',
  'undeclared_property',
  'wrong_scalar',
  'unknown_enum_value',
  'missing_revenue',
  'unexpected_revenue',
  'invalid_amount',
  'unknown_currency',
  'invalid_revenue_kind',
  'invalid_order_id',
  'refund_from_browser',
  'refund_without_order_id',
  'pageview_from_server',
  'invalid_id',
  'id_from_the_future',
  'unexpected_target',
  'invalid_target',
] as const
export type EventFaultCode = (typeof EVENT_FAULT_CODES)[number]

/** Refuses one event; the other events of its request are still accepted. */
export class EventFault extends AdvisedError {
  readonly code: EventFaultCode
  constructor(code: EventFaultCode, message: string, next?: NextStep) {
    super(message, next)
    this.name = 'EventFault'
    this.code = code
  }
}

/**
 * Describes a received value for a message. Texts are quoted, so that "5" differs from 5. TRICKY: lists and objects are
 * only named, because printing deeply nested ones would overflow the stack.
 */
export function describeValue(given: unknown): string {
  if (typeof given === 'string') return quoted(given)
  if (given === undefined) return 'missing'
  if (typeof given !== 'object' || given === null) return String(given)
  return Array.isArray(given) ? 'a list' : 'an object'
}

/**
 * Codes of failed requests to Cloudflare's API. Sources show them, and scripts and alerts may rely on them.
 */
export type ZoneFault =
  | 'unreachable' // no connection, no name, no answer in time
  | 'rate_limited' // Cloudflare asks to wait
  | 'provider_error' // Cloudflare failed (5xx)
  | 'bad_answer' // an answer that is no JSON, not of the documented shape, or too large
  | 'not_permitted' // the token is good and may not do this
  | 'token_rejected' // the token is not, or no longer, good
  | 'zone_missing' // the token does not see the zone
  | 'too_much' // the query asks for more than one answer may hold; a shorter slice may do
  | 'too_old' // the provider no longer answers for that time
  | 'field_refused' // the zone's plan does not give a field without which nothing can be counted
  | 'query_refused' // Cloudflare refused the query for another reason
  | 'token_unreadable' // the sealed token cannot be opened with the secret key in use

/** A failed request to Cloudflare. Its message has no text of the answer, which may name accounts. */
export class CloudflareFailure extends Error {
  readonly fault: ZoneFault
  /** How long Cloudflare asks to wait, in milliseconds; null: it does not say. */
  readonly retry_after_ms: number | null
  /** The optional field that the plan refuses, in lower case; only with `field_refused`. */
  readonly field: string | null

  constructor(fault: ZoneFault, message: string, more: { retry_after_ms?: number | null; field?: string } = {}) {
    super(message)
    this.name = 'CloudflareFailure'
    this.fault = fault
    this.retry_after_ms = more.retry_after_ms ?? null
    this.field = more.field ?? null
  }
}

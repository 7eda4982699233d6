import { Refusal } from '#refusal.ts'

/** Reasons why a request was not sent, which the caller can correct. */
export const REFUSED_CODES = ['malformed_url', 'scheme', 'credentials', 'port', 'address'] as const
export type RefusedCode = (typeof REFUSED_CODES)[number]
/** Reasons why an allowed request had no usable answer. */
export type FailedCode =
  | 'no_address'
  | 'not_connected'
  | 'tls'
  | 'broken_off'
  | 'timeout'
  | 'too_long'
  | 'headers_too_long'
  | 'too_many_redirects'
  | 'malformed_redirect'
  | 'encoding'

/** A request that was not made, or had no answer; `code` is stable, the message is for people. */
export class OutgoingRefusal extends Refusal {
  readonly code: RefusedCode | FailedCode
  /** Node's code of the resolver, network or TLS (`ENOTFOUND`, `CERT_HAS_EXPIRED`); null: none. */
  readonly system_code: string | null
  constructor(
    kind: 'invalid_input' | 'unreachable',
    code: RefusedCode | FailedCode,
    detail: string,
    system_code: string | null = null,
  ) {
    super(kind, detail)
    this.code = code
    this.system_code = system_code
  }
}

/** A request that was not sent. */
export const refused = (code: RefusedCode, detail: string) => new OutgoingRefusal('invalid_input', code, detail)
/** A request that was sent and failed. */
export const failed = (code: FailedCode, detail: string, system_code: string | null = null) =>
  new OutgoingRefusal('unreachable', code, detail, system_code)

/** One attempt to deliver an alert to a webhook (rules 8.6). */
import type { Clock } from '#clock.ts'
import type { AlertReceiverRow } from '#control/tables.ts'
import { OutgoingRefusal } from '#outgoing/refused.ts'
import { type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import type { AttemptResult } from './attempt.ts'
import { payloadText, type StoredAlert } from './payload.ts'
import { openSealed, SealedUnreadable, sealedFor } from './sealed.ts'
import { signatureHeaders } from './signature.ts'

export interface WebhookContext {
  clock: Clock
  secrets: SecretBox
  /** Null: nothing may go outside. */
  outgoing: SafeFetchContext | null
  /** 15 s unless set. */
  timeout_ms?: number
}

type WebhookReceiver = Pick<
  AlertReceiverRow,
  'id' | 'sealed_url' | 'sealed_secret' | 'sealed_previous_secret' | 'previous_secret_until'
>

const TIMEOUT_MS = 15_000

/** Whatever the receiver answers or does is a result; only `signal` and our own stores make it throw. */
export async function sendWebhook(
  ctx: WebhookContext,
  receiver: WebhookReceiver,
  alert: StoredAlert,
  signal?: AbortSignal,
): Promise<AttemptResult> {
  if (ctx.outgoing === null) return failed('nothing_goes_outside', { is_of_receiver: false })
  const now = ctx.clock.now()
  const body = payloadText(alert)
  try {
    const { url, secrets } = openReceiver(ctx, receiver, now)
    const signature = signatureHeaders({ id: alert.id, now, body }, secrets)
    const { status, headers } = await safeFetch(ctx.outgoing, url, {
      method: 'POST',
      body,
      redirects: 0,
      max_bytes: 0,
      readsBody: () => false,
      headers: { 'content-type': 'application/json', accept: '*/*', ...signature },
      timeout_ms: ctx.timeout_ms ?? TIMEOUT_MS,
      ...(signal === undefined ? {} : { signal }),
    })
    return judgeAnswer(status, headers['retry-after'], now)
  } catch (error) {
    if (error instanceof SealedUnreadable) return failed('secret_unreadable', { is_of_receiver: false })
    if (error instanceof OutgoingRefusal) return failed(error.code)
    throw error
  }
}

function openReceiver({ secrets }: WebhookContext, receiver: WebhookReceiver, now: number) {
  const { id, sealed_url, sealed_secret, sealed_previous_secret, previous_secret_until } = receiver
  const inForce = [openSealed(secrets, sealed_secret, sealedFor(id, 'secret'))]
  if (sealed_previous_secret !== null && previous_secret_until !== null && previous_secret_until > now)
    inForce.push(openSealed(secrets, sealed_previous_secret, sealedFor(id, 'secret')))
  return { url: openSealed(secrets, sealed_url, sealedFor(id, 'url')), secrets: inForce }
}

/** The status alone decides: a receiver that says yes and then breaks off has the alert. */
function judgeAnswer(status: number, retry_after: string | undefined, now: number): AttemptResult {
  if (status >= 200 && status <= 299) return { is_delivered: true, status }
  if (status === 410) return failed('http_410', { status, verdict: 'gone' })
  if (status >= 300 && status <= 399) return failed('redirected', { status })
  const retry_after_ms = status === 429 || status === 503 ? readRetryAfter(retry_after, now) : null
  return failed(`http_${status}`, { status, retry_after_ms })
}

type Failed = Extract<AttemptResult, { is_delivered: false }>

const failed = (error_code: string, more: Partial<Failed> = {}): Failed => ({
  is_delivered: false,
  status: null,
  error_code,
  retry_after_ms: null,
  verdict: 'retry',
  is_of_receiver: true,
  ...more,
})

/** Seconds, or a date (RFC 9110, 10.2.3); null when it is neither. */
export function readRetryAfter(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

/** Signatures of webhooks as Standard Webhooks 1.0 prescribes (rules 8.6). */
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A new secret for the signatures of a webhook. */
export const makeSigningSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

interface SignedMessage {
  id: string
  /** The instant of the attempt, epoch milliseconds: receivers refuse requests that are some minutes old. */
  now: number
  body: string
}

/** The headers of one attempt; with several secrets one signature each, so that a receiver may know either. */
export function signatureHeaders({ id, now, body }: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const timestamp = Math.floor(now / 1_000)
  const signed = secrets.map((secret) => `v1,${sign(`${id}.${timestamp}.${body}`, secret)}`)
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signed.join(' ') }
}

const sign = (content: string, secret: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(content)
    .digest('base64')

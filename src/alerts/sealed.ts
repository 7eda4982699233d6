/**
 * Sealed columns of receivers: URLs of webhooks, which may contain a token, signing secrets, and tokens for
 * unsubscribing.
 */
import { Refusal } from '#refusal.ts'
import type { SecretBox } from '#secrets/secret-box.ts'

/** A sealed value has another key, is damaged or missing. */
export class SealedUnreadable extends Error {}

/** The context of a sealed value, so that it opens only for its receiver. */
export const sealedFor = (receiver_id: string, what: 'url' | 'secret' | 'unsubscribe_token'): string =>
  `alert_receiver:${receiver_id}:${what}`

/** @throws SealedUnreadable */
export function openSealed(box: SecretBox, sealed: string | null, context: string): string {
  if (sealed === null) throw new SealedUnreadable('Nothing is sealed here.')
  try {
    return box.open(sealed, context)
  } catch (error) {
    if (error instanceof Refusal) throw new SealedUnreadable(error.message)
    throw error
  }
}

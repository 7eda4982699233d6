/**
 * What receivers keep sealed: URLs of webhooks, which may hold a token, signing secrets, and tokens of unsubscription.
 */
import { Refusal } from '#refusal.ts'
import type { SecretBox } from '#secrets/secret-box.ts'

/** It was sealed with another key, or is damaged or missing. */
export class SealedUnreadable extends Error {}

/** What something is sealed for, so that it opens for its own receiver only. */
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

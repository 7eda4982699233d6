/**
 * Sends an alert to an e-mail address, and asks its holder for consent (rules 8.6).
 */
import type { AlertReceiverRow } from '#control/tables.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import type { AttemptResult } from './attempt.ts'
import { alertMail, confirmationMail } from './mail-words.ts'
import type { Mailer } from './mailer.ts'
import type { StoredAlert } from './payload.ts'
import { openSealed, SealedUnreadable, sealedFor } from './sealed.ts'

export interface MailContext {
  secrets: SecretBox
  /** Null: no SMTP server is configured, or nothing may go outside. */
  mailer: Mailer | null
  /** Scheme, host and port of the links in e-mails. */
  origin(): string
}

export const CONFIRM_PATH = '/alerts/confirm'
export const UNSUBSCRIBE_PATH = '/alerts/unsubscribe'

/** Makes one attempt; every failure is a result. */
export async function sendEmail(
  ctx: MailContext,
  receiver: Pick<AlertReceiverRow, 'id' | 'target' | 'sealed_unsubscribe_token'>,
  alert: StoredAlert,
): Promise<AttemptResult> {
  if (ctx.mailer === null) return notSent('smtp_not_configured')
  try {
    const token = openSealed(
      ctx.secrets,
      receiver.sealed_unsubscribe_token,
      sealedFor(receiver.id, 'unsubscribe_token'),
    )
    const unsubscribe_url = `${ctx.origin()}${UNSUBSCRIBE_PATH}/${token}`
    const content = alertMail(alert, unsubscribe_url)
    return await ctx.mailer.send({
      to: receiver.target,
      content,
      message_id: messageId(ctx, alert.id),
      unsubscribe_url,
    })
  } catch (error) {
    if (error instanceof SealedUnreadable) return notSent('secret_unreadable')
    throw error
  }
}

/** How long a link of consent is valid. */
export const CONFIRM_HOURS = 48

/** Asks the holder of an address for consent; `token` is part of the link. */
export async function sendConfirmation(
  ctx: MailContext,
  { id, target, root_domain, token }: { id: string; target: string; root_domain: string; token: string },
): Promise<AttemptResult> {
  if (ctx.mailer === null) return notSent('smtp_not_configured')
  const content = confirmationMail(root_domain, `${ctx.origin()}${CONFIRM_PATH}/${token}`, CONFIRM_HOURS)
  return ctx.mailer.send({ to: target, content, message_id: messageId(ctx, `${id}.confirm`), unsubscribe_url: null })
}

const messageId = ({ origin }: MailContext, id: string) => `<${id}@${new URL(origin()).hostname.replace(/[[\]]/g, '')}>`

const notSent = (error_code: string): AttemptResult => ({
  is_delivered: false,
  status: null,
  error_code,
  retry_after_ms: null,
  verdict: 'retry',
  is_of_receiver: false,
})

/** Sends e-mail through the operator's SMTP server (rules 8.6). */

import type { SmtpServer } from '#config/smtp-url.ts'
import type { Config } from '#config.ts'
import { isLoopbackName } from '#networks.ts'
import type { AttemptResult } from './attempt.ts'
import { mailHtml, mailText } from './mail-form.ts'
import type { MailContent } from './mail-words.ts'

export interface OutgoingMail {
  to: string
  content: MailContent
  /** The same for all attempts, so that a mailbox can recognise repeats. */
  message_id: string
  /** The page for unsubscribing; null: the holder has not agreed yet. */
  unsubscribe_url: string | null
}

export interface Mailer {
  /** Makes one attempt; every failure is a result. */
  send(mail: OutgoingMail): Promise<AttemptResult>
}

/** Time limits for a connection, a greeting and an answer. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 5_000 }

/** The options of nodemailer; passwords are never sent without TLS. */
export function transportOptions({ host, port, secure, auth }: SmtpServer) {
  return {
    host,
    port,
    secure,
    ...TIMEOUTS,
    ...(auth === null ? {} : { auth }),
    requireTLS: !secure && auth !== null && !isLoopbackName(host),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Sends e-mails through the configured SMTP server. */
export function openMailer(
  { from, ...server }: NonNullable<Config['smtp']>,
  timeouts: Partial<typeof TIMEOUTS> = {},
): Mailer {
  return {
    async send({ to, content, message_id, unsubscribe_url }) {
      // Loaded here, because most installations send no e-mail.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({ ...transportOptions(server), ...timeouts })
      try {
        await transport.sendMail({
          from,
          to,
          subject: content.subject,
          messageId: message_id,
          text: mailText(content),
          html: mailHtml(content),
          headers: { 'auto-submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribe_url) },
        })
        return { is_delivered: true, status: 250 }
      } catch (error) {
        return judgeFailure(error)
      } finally {
        transport.close()
      }
    },
  }
}

/** Headers for unsubscribing with one click (RFC 8058). */
const unsubscribeHeaders = (url: string | null): Record<string, string> =>
  url === null ? {} : { 'list-unsubscribe': `<${url}>`, 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' }

interface SmtpFailure {
  /** Nodemailer's code, such as ESOCKET, EAUTH, EENVELOPE. */
  code?: string
  responseCode?: number
  /** The refused command, such as MAIL FROM, RCPT TO. */
  command?: string
}

/**
 * The result of a failure. A refused message or recipient is a failure of the receiver; a refused connection, sign-in
 * or sender is not.
 */
function judgeFailure(error: unknown): AttemptResult {
  const { code = '', responseCode, command } = error as SmtpFailure
  const status = responseCode ?? null
  const is_of_sender = code === 'EENVELOPE' && command === 'MAIL FROM'
  const is_of_receiver = status !== null && (code === 'EENVELOPE' || code === 'EMESSAGE') && !is_of_sender
  const fault_of_server = is_of_sender ? 'sender' : code.replace(/^E/, '').toLowerCase()
  const fault = is_of_receiver ? String(status) : fault_of_server
  return {
    is_delivered: false,
    status,
    retry_after_ms: null,
    is_of_receiver,
    error_code: `smtp_${fault || 'failed'}`,
    verdict: is_of_receiver && status >= 500 ? 'rejected' : 'retry',
  }
}

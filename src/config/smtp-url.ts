/** The URL of an SMTP server, as the configuration names it. */

/** Holds a password: never logged, never in a message. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the start; otherwise STARTTLS where the server offers it. */
  readonly secure: boolean
  readonly auth: { readonly user: string; readonly pass: string } | null
}

const SUBMISSION_PORT = 587
const SUBMISSIONS_PORT = 465

/** `smtp://user:password@host:port` or `smtps://…`, user and password percent-encoded; null: it is not such a URL. */
export function readSmtpUrl(text: string): SmtpServer | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, port, username, password } = new URL(text)
  const [user, pass] = [decode(username), decode(password)]
  if (!/^smtps?:$/.test(protocol) || hostname === '' || user === null || pass === null) return null
  const secure = protocol === 'smtps:'
  const usual_port = secure ? SUBMISSIONS_PORT : SUBMISSION_PORT
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usual_port : Number(port),
    secure,
    auth: user === '' ? null : { user, pass },
  }
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not valid percent-encoded UTF-8, which is all that can fail here.
    return null
  }
}

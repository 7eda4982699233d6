/** A real SMTP server on loopback that keeps what it takes. */
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

export interface ReceivedMail {
  from: string
  to: string[]
  /** Head and body as they came. */
  text: string
  /** Who signed in. */
  user: unknown
}

/** Adds what it takes to `mails`; `credentials` is what stands before the host of its URL. */
export async function smtpStandIn(
  mails: ReceivedMail[],
  options: SMTPServerOptions = {},
  credentials = '',
): Promise<{ url: string }> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      let text = ''
      stream.on('data', (part: Buffer) => (text += part.toString('utf8')))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        mails.push({ from, to: rcptTo.map(({ address }) => address), text, user: session.user })
        done()
      })
    },
    ...options,
  })
  // Clients that go away are part of the tests.
  server.on('error', () => {})
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  return { url: `smtp://${credentials}127.0.0.1:${port}` }
}

/** A mail without the folding and encoding of its lines. */
export function readMail({ text }: ReceivedMail) {
  const plain = text.replace(/=\r\n/g, '').replace(/=3D/g, '=')
  const head = plain.slice(0, plain.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]
  return { plain, header }
}

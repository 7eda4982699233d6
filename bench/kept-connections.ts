/**
 * Keep-alive connections of HTTP/1.1 without pipelining, one request under way on each: a sender that costs far less
 * than the service which it loads.
 */
import { connect, type Socket } from 'node:net'

export interface Answered {
  status: number
  /** From writing the request to its whole answer, milliseconds. */
  ms: number
}

export interface KeptConnection {
  /** Writes a whole request; `onAnswer` is called with its answer. One at a time. */
  send(request: string, onAnswer: (answered: Answered) => void): void
  close(): void
}

export function keepConnection(port: number): KeptConnection {
  const socket: Socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  let started = 0
  let text = ''
  let answer: (answered: Answered) => void = () => {}
  socket.on('data', (chunk: Buffer) => {
    text = text === '' ? chunk.toString('latin1') : text + chunk.toString('latin1')
    const head = text.indexOf('\r\n\r\n')
    if (head === -1) return
    const at = text.toLowerCase().indexOf('content-length: ')
    const length = at === -1 || at > head ? 0 : Number.parseInt(text.slice(at + 16, at + 24), 10)
    if (text.length < head + 4 + length) return
    const status = Number(text.slice(9, 12))
    text = ''
    answer({ status, ms: performance.now() - started })
  })
  socket.on('error', (error) => {
    throw error
  })
  return {
    send(request, onAnswer) {
      answer = onAnswer
      started = performance.now()
      socket.write(request)
    },
    close: () => socket.destroy(),
  }
}

/** A POST with a text body of ASCII. */
export const postRequest = (path: string, headers: Readonly<Record<string, string>>, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}Content-Length: ${body.length}\r\n\r\n${body}`

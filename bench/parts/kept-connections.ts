/**
 * Keep-alive connections of HTTP/1.1 without pipelining, one request at a time on each: a sender that costs far less
 * than the service under load.
 */
import { connect, type Socket } from 'node:net'

export interface Answered {
  /** 0: the connection was closed without an answer. */
  status: number
  /** From writing the request to its whole answer, milliseconds. */
  ms: number
}

export interface KeptConnection {
  /** Writes a whole request; `onAnswer` is called with its answer. One at a time. */
  send(request: string, onAnswer: (answered: Answered) => void): void
  close(): void
}

/** Connects with the first request, and again after the service has closed an idle connection. */
export function keepConnection(port: number): KeptConnection {
  let socket: Socket | null = null
  let started = 0
  let text = ''
  let answer: ((answered: Answered) => void) | null = null
  const finish = (status: number) => {
    const answered = answer
    answer = null
    text = ''
    answered?.({ status, ms: performance.now() - started })
  }
  const open = (): Socket => {
    const opened = connect(port, '127.0.0.1')
    opened.setNoDelay(true)
    opened.on('data', (chunk: Buffer) => {
      text = text === '' ? chunk.toString('latin1') : text + chunk.toString('latin1')
      const head = text.indexOf('\r\n\r\n')
      if (head === -1) return
      const at = text.toLowerCase().indexOf('content-length: ')
      const length = at === -1 || at > head ? 0 : Number.parseInt(text.slice(at + 16, at + 24), 10)
      if (text.length < head + 4 + length) return
      finish(Number(text.slice(9, 12)))
    })
    opened.on('error', (error) => {
      throw error
    })
    opened.on('close', () => {
      if (socket === opened) socket = null
      finish(0)
    })
    return opened
  }
  return {
    send(request, onAnswer) {
      answer = onAnswer
      started = performance.now()
      socket ??= open()
      socket.write(request)
    },
    close: () => socket?.destroy(),
  }
}

/** A POST with a text body of ASCII. */
export const postRequest = (path: string, headers: Readonly<Record<string, string>>, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}Content-Length: ${body.length}\r\n\r\n${body}`

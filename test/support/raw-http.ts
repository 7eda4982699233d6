/** HTTP as bytes on a socket, for requests that no client library would send. */
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  status: number
  headers: Map<string, string>
  body: string
}

/** Sends bytes as they are and parses what came back until the connection ended. */
export function exchangeRaw(port: number, request: string): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>()
  const socket = connect(port, '127.0.0.1', () => socket.write(request, 'latin1'))
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
  socket.on('error', reject)
  socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks).toString('latin1'))))
  return promise
}

export function parseAnswer(answer: string): RawAnswer {
  const [head = '', ...body] = answer.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(first.split(' ')[1]), headers, body: body.join('\r\n\r\n') }
}

/** An open connection that sends what it is given, and remembers what it received and whether it was closed. */
export interface RawConnection {
  socket: Socket
  send(bytes: string): void
  received(): string
  isClosed(): boolean
}

export async function openConnection(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  let closed = false
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return { socket, send: (bytes) => socket.write(bytes, 'latin1'), received: () => received, isClosed: () => closed }
}

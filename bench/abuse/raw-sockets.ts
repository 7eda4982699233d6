/** Many connections at once that send bytes which no client library would send. */
import { connect, type Socket } from 'node:net'

export interface RawSocket {
  socket: Socket
  /** The received bytes, up to a limit. */
  received(): string
  isClosed(): boolean
}

const KEPT_CHARACTERS = 4_096

/** Opens several connections; those that the service refuses count as closed. */
export function openSockets(port: number, count: number, local = '127.0.0.1'): Promise<RawSocket[]> {
  return Promise.all(Array.from({ length: count }, () => openSocket(port, local)))
}

export function openSocket(port: number, local = '127.0.0.1'): Promise<RawSocket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: local })
  let received = ''
  let closed = false
  socket.on('data', (bytes: Buffer) => {
    if (received.length < KEPT_CHARACTERS) received += bytes.toString('latin1')
  })
  const raw = { socket, received: () => received, isClosed: () => closed }
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(raw))
    socket.on('error', () => {})
    socket.once('close', () => {
      closed = true
      resolve(raw)
    })
  })
}

export function closeAll(sockets: readonly RawSocket[]): void {
  for (const { socket } of sockets) socket.destroy()
}

/** Sends a text byte by byte, one each `every_ms`, while the connection is open; returns a function that ends it. */
export function trickle({ socket }: RawSocket, text: string, every_ms: number): () => void {
  let at = 0
  const timer = setInterval(() => {
    if (socket.destroyed) return clearInterval(timer)
    socket.write(text[at++ % text.length] as string, 'latin1')
  }, every_ms)
  return () => clearInterval(timer)
}

export const statusOf = (received: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0)

/** Many connections at once that send what no client library would. */
import { connect, type Socket } from 'node:net'

export interface RawSocket {
  socket: Socket
  /** What came back, up to a limit. */
  received(): string
  isClosed(): boolean
}

const KEPT_CHARACTERS = 4_096

/** Opens so many connections; those that the service refuses count as closed. */
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

/** Sends a text byte by byte, one each `every_ms`, as long as the connection stays; returns what ends it. */
export function trickle({ socket }: RawSocket, text: string, every_ms: number): () => void {
  let at = 0
  const timer = setInterval(() => {
    if (socket.destroyed) return clearInterval(timer)
    socket.write(text[at++ % text.length] as string, 'latin1')
  }, every_ms)
  return () => clearInterval(timer)
}

export const statusOf = (received: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0)

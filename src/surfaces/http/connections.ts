/** How many connections there may be, and how much memory unfinished headers may hold: both need no key. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { readMaxOpenFiles } from '#machine/open-files.ts'

export interface ConnectionLimits {
  connections: number
  /** Of all unfinished headers together. One connection's are bounded by the parser. */
  header_bytes: number
}

export const MAX_CONNECTIONS = 4_000
/** A connection may take this long from its opening, or its next request's first byte, to the headers' end. */
export const HEADERS_TIMEOUT_MS = 15_000
const MAX_HEADER_BYTES = 32 * 1024 * 1024
const LOOK_EVERY_MS = 250
const LOG_EVERY_MS = 60_000

/** The limits of this machine: at most half of the files that the process may open, because the stores need theirs. */
export function connectionLimits(max_open_files = readMaxOpenFiles()): ConnectionLimits {
  return { connections: Math.min(MAX_CONNECTIONS, Math.floor(max_open_files / 2)), header_bytes: MAX_HEADER_BYTES }
}

interface Held {
  /**
   * Requests not yet answered, or whose body still arrives; more than one only if a client pipelines them. TRICKY: a
   * list, because the tables that a Set leaves behind as it changes keep answers alive until the next full collection.
   */
  running: readonly ServerResponse[]
  /** When the last request began, by the monotonic clock, and what the socket had read by then. */
  begun: { at_ms: number; at_byte: number }
  /** Bytes that the socket had read when the last request was over. */
  over_at_byte: number
}

/**
 * Holds a server to the limits. Where a new connection finds no room, the one that has waited longest for its headers
 * or for a next request is closed for it, then the one whose body arrives most slowly, then one whose answer is not
 * fetched; else the new one is closed.
 */
export function limitConnections(server: Server, log: FastifyBaseLogger, limits: ConnectionLimits): void {
  const held = new Map<Socket, Held>()
  /** Those without a running request; the longest waiting first. */
  const waiting = new Map<Socket, Held>()
  const close = closer(log)

  const makeRoom = (): boolean => {
    const [longest] = waiting.keys()
    const victim = longest ?? findSlowestBody(held) ?? findUnfetched(held)
    if (victim === undefined) return false
    forget(victim)
    close(victim, 'the limit of connections is reached')
    return true
  }
  const forget = (socket: Socket) => {
    held.delete(socket)
    waiting.delete(socket)
  }
  const look = () => {
    const unfinished = [...waiting].map(([socket, { over_at_byte }]) => ({
      socket,
      bytes: socket.bytesRead - over_at_byte,
    }))
    let total = unfinished.reduce((sum, { bytes }) => sum + bytes, 0)
    if (total <= limits.header_bytes) return
    for (const { socket, bytes } of unfinished.sort((a, b) => b.bytes - a.bytes)) {
      if (total <= limits.header_bytes) break
      total -= bytes
      forget(socket)
      close(socket, 'unfinished headers hold too much memory')
    }
  }

  server.on('connection', (socket: Socket) => {
    if (held.size >= limits.connections && !makeRoom()) return close(socket, 'all connections are at work')
    const entry: Held = { running: [], begun: { at_ms: 0, at_byte: 0 }, over_at_byte: 0 }
    held.set(socket, entry)
    waiting.set(socket, entry)
    socket.once('close', () => forget(socket))
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const entry = held.get(socket)
    if (entry === undefined) return
    waiting.delete(socket)
    entry.running = [...entry.running, response]
    entry.begun = { at_ms: performance.now(), at_byte: socket.bytesRead }
    const over = () => {
      entry.running = entry.running.filter((one) => one !== response)
      if (entry.running.length > 0 || !held.has(socket)) return
      entry.over_at_byte = socket.bytesRead
      waiting.set(socket, entry)
    }
    // The body of a request that was refused early is thrown away as it comes: it holds no memory, and its sender reads
    // the answer last.
    response.on('close', () => (request.complete ? over() : request.once('end', over)))
  })
  const timer = setInterval(look, LOOK_EVERY_MS)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

/** A shorter time says nothing of how slowly a body arrives. */
const MIN_BODY_MS = 1_000

/**
 * The connection of the unfinished body that has arrived most slowly, of those that the service does nothing for but
 * wait. On paths that read a body to learn who asks, such a body needs no key.
 */
function findSlowestBody(held: ReadonlyMap<Socket, Held>): Socket | undefined {
  const now = performance.now()
  let slowest: { socket: Socket; rate: number } | undefined
  for (const [socket, { running, begun }] of held) {
    const taken_ms = now - begun.at_ms
    const is_awaited = running.length > 0 && running.every(({ req }) => !req.complete && req.readableFlowing === true)
    if (!is_awaited || taken_ms < MIN_BODY_MS) continue
    const rate = (socket.bytesRead - begun.at_byte) / taken_ms
    if (slowest === undefined || rate < slowest.rate) slowest = { socket, rate }
  }
  return slowest?.socket
}

/** A connection whose answer is written, and whose client does not read it. */
function findUnfetched(held: ReadonlyMap<Socket, Held>): Socket | undefined {
  for (const [socket, { running }] of held) {
    if (running.every((response) => response.writableEnded)) return socket
  }
  return undefined
}

/** Closes connections, and logs that at most once a minute. */
function closer(log: FastifyBaseLogger): (socket: Socket, reason: string) => void {
  let closed = 0
  let is_waiting = false
  return (socket, reason) => {
    socket.destroy()
    closed++
    if (is_waiting) return
    is_waiting = true
    const report = () => {
      log.warn({ connections: closed, reason }, 'connections were closed to make room for others')
      closed = 0
    }
    report()
    setTimeout(() => {
      is_waiting = false
      if (closed > 0) report()
    }, LOG_EVERY_MS).unref()
  }
}

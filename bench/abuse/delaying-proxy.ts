/**
 * A TCP proxy on loopback between the service and a store: it delays, stops, breaks connections in the middle and leads
 * to another server. It simulates a slow network, which the kernels of most containers cannot do (netem).
 */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface StoreProxy {
  port: number
  /** New connections go there. */
  leadTo(port: number): void
  /** The delay of every piece in either direction. */
  delay(ms: number): void
  /** Resets all connections, as the death of a server does; new ones are accepted. */
  reset(): number
  /** Resets all connections and refuses new ones. */
  goAway(): Promise<void>
  comeBack(): Promise<void>
  /** Connections are accepted and kept, but nothing is passed on until `goOn`. */
  stall(): void
  goOn(): void
  /** Called with each piece that goes to the server, before it is passed on. */
  onRequest: ((bytes: Buffer) => void) | null
  close(): Promise<void>
}

export async function openProxy(first_target: number): Promise<StoreProxy> {
  let [target, delay_ms, is_stalled] = [first_target, 0, false]
  const sockets = new Set<Socket>()
  const held: (() => void)[] = []
  const pass = (from: Socket, to: Socket, onPiece: (bytes: Buffer) => void) => {
    from.on('data', (bytes: Buffer) => {
      onPiece(bytes)
      const write = () => void (to.destroyed || to.write(bytes))
      if (is_stalled) held.push(write)
      // Timers of the same length end in the order in which they start.
      else if (delay_ms > 0) setTimeout(write, delay_ms)
      else write()
    })
    from.on('end', () => setTimeout(() => to.end(), delay_ms))
    from.on('error', () => to.resetAndDestroy())
    from.on('close', () => {
      sockets.delete(from)
      setTimeout(() => to.destroy(), delay_ms)
    })
  }
  const proxy: StoreProxy = {
    port: 0,
    onRequest: null,
    leadTo: (port) => {
      target = port
    },
    delay: (ms) => {
      delay_ms = ms
    },
    reset() {
      const broken = sockets.size
      for (const socket of sockets) socket.resetAndDestroy()
      return broken / 2
    },
    async goAway() {
      server.close()
      proxy.reset()
    },
    async comeBack() {
      server = await listen(proxy.port)
    },
    stall: () => {
      is_stalled = true
    },
    goOn: () => {
      is_stalled = false
      for (const write of held.splice(0)) write()
    },
    async close() {
      server.close()
      proxy.reset()
    },
  }
  const listen = async (port: number): Promise<Server> => {
    const listening = createServer((client) => {
      const upstream = connect(target, '127.0.0.1')
      for (const socket of [client, upstream]) sockets.add(socket.setNoDelay(true))
      pass(client, upstream, (bytes) => proxy.onRequest?.(bytes))
      pass(upstream, client, () => {})
    }).listen(port, '127.0.0.1')
    await once(listening, 'listening')
    return listening
  }
  let server = await listen(0)
  proxy.port = (server.address() as { port: number }).port
  return proxy
}

/** The same URL, through the proxy. */
export function through(url: string, proxy: Pick<StoreProxy, 'port'>): string {
  const own = new URL(url)
  own.host = `127.0.0.1:${proxy.port}`
  return own.href
}

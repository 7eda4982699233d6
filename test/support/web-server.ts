/** Servers on loopback that a test names as it likes, and what asks them: only the name servers are a double. */
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { readConfig } from '#config.ts'
import { failed } from '#outgoing/refused.ts'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'

export interface WebServers {
  http(listener: RequestListener): Promise<number>
  https(identity: ServerOptions, listener: RequestListener): Promise<number>
  tcp(listener: (socket: Socket) => void): Promise<number>
  /** Asks only these names, at these addresses; a name with another code fails with it. */
  outgoing(names: Record<string, string[] | string>): SafeFetchContext
  close(): void
}

export function openWebServers(): WebServers {
  const servers: Server[] = []
  const ports = new Set([80, 443])
  const listen = async (server: Server) => {
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    ports.add(port)
    return port
  }
  return {
    http: (listener) => listen(createServer(listener)),
    https: (identity, listener) => listen(createTlsServer(identity, listener)),
    tcp: (listener) => listen(createTcpServer((socket) => listener(socket.on('error', () => {})))),
    outgoing: (names) => ({
      ...readConfig({ SPOOR_ALLOW_NETWORKS: '127.0.0.0/8' }),
      allow_ports: ports,
      own_endpoints: () => [],
      resolve: async (name) => {
        const found = names[name] ?? 'ENOTFOUND'
        if (typeof found === 'string') throw failed('no_address', `${name} has no address`, found)
        return found
      },
    }),
    close() {
      for (const server of servers.splice(0)) server.close()
    },
  }
}

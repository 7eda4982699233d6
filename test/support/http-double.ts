import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { readConfig } from '#config.ts'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'

export interface HttpDouble {
  /** http://127.0.0.1:PORT */
  url: string
  /** The context of `safeFetch` that permits requests to this server. */
  outgoing: SafeFetchContext
}

/** A real server on loopback in place of a provider's; closed at the end of the test. */
export async function openHttpDouble(listener: RequestListener): Promise<HttpDouble> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const config = readConfig({ SPOOR_ALLOW_NETWORKS: '127.0.0.0/8', SPOOR_ALLOW_PORTS: String(port) })
  return {
    url: `http://127.0.0.1:${port}`,
    outgoing: { ...config, resolve: async () => [], own_endpoints: () => [] },
  }
}

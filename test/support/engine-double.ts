/** A double of the providers: a real server on loopback that answers as a test says, and keeps what it was asked. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { readConfig } from '#config.ts'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'

export interface EngineDoubleRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  /** JSON; null: none. */
  body: unknown
}

export interface EngineDouble {
  /** http://127.0.0.1:PORT */
  url: string
  requests: EngineDoubleRequest[]
  outgoing: SafeFetchContext
}

/** Closed at the end of the test. */
export async function openEngineDouble(answer: RequestListener): Promise<EngineDouble> {
  const requests: EngineDoubleRequest[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const text = Buffer.concat(parts).toString()
    const { method = '', url = '', headers } = request
    requests.push({ method, url, headers, body: text === '' ? null : JSON.parse(text) })
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const config = readConfig({ SPOOR_ALLOW_NETWORKS: '127.0.0.0/8', SPOOR_ALLOW_PORTS: String(port) })
  const outgoing = { ...config, resolve: async () => [], own_endpoints: () => [] }
  return { url: `http://127.0.0.1:${port}`, requests, outgoing }
}

/** Answers each request with the next of the responses, the last one for ever. */
export function inTurn(
  ...responses: { status: number; headers?: Record<string, string>; body?: unknown; text?: string }[]
): RequestListener {
  let next = 0
  return (_request, response) => {
    const { status, headers = {}, body, text } = responses[Math.min(next++, responses.length - 1)] ?? { status: 500 }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(text ?? JSON.stringify(body))
  }
}

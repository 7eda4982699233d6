/** A double of the providers: a real server on loopback that answers as a test says, and keeps what it was asked. */
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'
import { openHttpDouble } from './http-double.ts'

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
  const { url, outgoing } = await openHttpDouble(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const text = Buffer.concat(parts).toString()
    const { method = '', url: target = '', headers } = request
    requests.push({ method, url: target, headers, body: text === '' ? null : JSON.parse(text) })
    answer(request, response)
  })
  return { url, requests, outgoing }
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

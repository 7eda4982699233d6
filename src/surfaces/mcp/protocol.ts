/**
 * MCP itself: the revision of 2026 and, in front of it, those of 2025, both without sessions and in plain JSON (account
 * API 6). Loaded with the first request, because most installations are never asked one.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
  UnsupportedProtocolVersionError,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { memberAt } from '#json-members.ts'
import type { McpCall, ToolTables } from './call-tool.ts'
import { serversOfCalls } from './mcp-server.ts'
import { describeParamFaults } from './param-faults.ts'

const REVISION_OF_2026 = '2026-07-28'

export interface Protocol {
  /** @param message the parsed body of the request. */
  answer(request: Request, message: unknown, call: McpCall): Promise<Response>
  close(): Promise<void>
}

/** @param onError receives faults of clients' messages, for the log. */
export function createProtocol<Services>(
  tables: ToolTables<Services>,
  support_email: string | null,
  onError: (error: Error) => void,
): Protocol {
  const calls = new WeakMap<Request, McpCall>()
  const createServer = serversOfCalls(tables, support_email, onError)

  const { fetch: answerOf2026, close } = createMcpHandler(
    ({ requestInfo }) => {
      const call = requestInfo === undefined ? undefined : calls.get(requestInfo)
      if (call === undefined) throw new Error('a request was served before its caller was known')
      return createServer(call)
    },
    // No handler sends anything before its result, so every answer is one JSON body. Saying so by `responseMode` would
    // print a warning into the log.
    { legacy: 'reject', maxSubscriptions: 0, onerror: onError },
  )

  async function answerOf2025(request: Request, message: unknown, call: McpCall): Promise<Response> {
    const server = createServer(call)
    // Without a generator of session ids it keeps no sessions.
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    let is_unknown = false
    const send = transport.send.bind(transport)
    // The SDK refuses some methods of 2026 before any handler, a fallback included.
    transport.send = (sent, options) => {
      is_unknown ||= memberAt(sent, 'error', 'code') === ProtocolErrorCode.MethodNotFound
      return send(sent, options)
    }
    try {
      const answer = await transport.handleRequest(request, { parsedBody: message })
      if (Array.isArray(message)) return asBatch(answer)
      // The SDK answers an unknown method with 404 to clients of 2026 alone; account API 6 says it of every revision.
      if (!is_unknown) return answer
      return new Response(answer.body, { status: 404, headers: answer.headers })
    } finally {
      await server.close()
    }
  }

  return {
    async answer(request, message, call) {
      const refused = refuseUnknownVersion(request, message)
      if (refused !== null) return refused
      if (await isLegacyRequest(request, message)) {
        return describeParamFaults(await answerOf2025(request, message, call))
      }
      calls.set(request, call)
      return describeParamFaults(await answerOf2026(request, { parsedBody: message }))
    },
    close,
  }
}

/** The SDK answers a batch with one request by an object; JSON-RPC answers every batch by a list. */
async function asBatch(answer: Response): Promise<Response> {
  if (answer.status !== 200) return answer
  const text = await answer.text()
  return new Response(text.startsWith('[') ? text : `[${text}]`, { headers: answer.headers })
}

/**
 * The header alone may name a revision, as those of 2025 do, and the message may be of no form that a known revision
 * has. Null: the revision is known, or header and message contradict each other, which the SDK refuses.
 */
function refuseUnknownVersion({ headers }: Request, message: unknown): Response | null {
  const requested = headers.get('mcp-protocol-version')
  const named = memberAt(message, 'params', '_meta', PROTOCOL_VERSION_META_KEY)
  const supported = [REVISION_OF_2026, ...SUPPORTED_PROTOCOL_VERSIONS]
  if (requested === null || supported.includes(requested) || (named ?? requested) !== requested) return null
  const { code, message: text, data } = new UnsupportedProtocolVersionError({ supported, requested })
  const id = memberAt(message, 'id')
  const body = { jsonrpc: '2.0', error: { code, message: text, data }, id: isRequestId(id) ? id : null }
  return Response.json(body, { status: 400 })
}

const isRequestId = (id: unknown): boolean => typeof id === 'string' || typeof id === 'number'

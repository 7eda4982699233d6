/**
 * `mcp`: the tools of a server over standard input and output, for clients that start a program instead of calling a
 * URL. Each message is passed on to `POST /mcp`, so both transports offer the same (account API 6).
 */
import type { Readable } from 'node:stream'
import { readServerToAsk } from '#config.ts'
import { procedure } from '../command.ts'
import { commandHost } from '../host/command-host.ts'
import { printed } from '../output.ts'

/** JSON-RPC: the line is not JSON, or no message; and the start of the range that servers define themselves. */
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const SERVER_ERROR = -32_000
/** What helps where another program, or none, answers. */
const SET_URL = 'Set SPOOR_URL to the address of Spoor, such as http://127.0.0.1:8080, without a path.'
const START = 'Start the service, or set SPOOR_URL to its address, such as http://127.0.0.1:8080.'
const REVISION_KEY = 'io.modelcontextprotocol/protocolVersion'

interface Message {
  id?: string | number | null
  method?: string
  params?: { name?: unknown; uri?: unknown; requestId?: unknown; _meta?: Readonly<Record<string, unknown>> }
}
interface Answer {
  jsonrpc?: string
  id?: string | number | null
  result?: { protocolVersion?: string }
}

export const mcpCommand = procedure(
  'mcp',
  'offer the tools of a running server to an MCP client, over standard input and output',
  {},
  async () => {
    const server = connect(readServerToAsk(commandHost().environment))
    const running = new Set<Promise<void>>()
    for await (const line of linesOf(commandHost().openStandardInput())) {
      if (line.trim() === '') continue
      const answered = server.passOn(line).then((answer) => (answer === null ? undefined : printed(answer)))
      // A client may send several requests at once, and end when it has the answers.
      running.add(answered)
      answered.finally(() => running.delete(answered)).catch(() => {})
    }
    await Promise.all(running)
  },
)

/**
 * TRICKY: not readline, which also ends a line at U+2028 and U+2029, and JSON holds both as they are ("a line ends at a
 * line feed alone").
 */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const part of input.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() as string
    yield* lines
  }
  yield rest
}

/** One client’s conversation with the server. */
function connect({ url, token }: { url: string; token: string }) {
  /** The revision that the server chose for a client of 2025, which negotiates it once. */
  let chosen: string | undefined
  /** What ends a request whose answer the client no longer wants, by its id. */
  const cancels = new Map<unknown, AbortController>()
  return {
    /** @returns the line to print; null where nothing is answered. */
    async passOn(line: string): Promise<string | null> {
      const message = parse<Message>(line)
      if (message === undefined) return failure(null, PARSE_ERROR, 'The line is not JSON.')
      if (typeof message !== 'object' || message === null) {
        return failure(null, INVALID_REQUEST, 'The line is not a message of JSON-RPC: send an object.')
      }
      // Without a session the server cannot find the request; its connection is ours.
      if (message.method === 'notifications/cancelled') {
        cancels.get(message.params?.requestId)?.abort()
        return null
      }
      const id = message.id ?? null
      const is_answered = Array.isArray(message) || message.id !== undefined
      const cancel = new AbortController()
      cancels.set(id, cancel)
      try {
        const response = await fetch(`${url}/mcp`, {
          method: 'POST',
          redirect: 'error',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${token}`,
            ...mcpHeaders(message, chosen),
          },
          body: line,
          signal: cancel.signal,
        })
        const answer = parse<Answer>(await response.text())
        if (response.status === 202 || !is_answered) return null
        if (!isOfProtocol(answer)) {
          return failure(id, SERVER_ERROR, `${url} answered ${response.status}, and not as MCP does. ${SET_URL}`)
        }
        if (message.method === 'initialize') chosen = answer.result?.protocolVersion
        // A refusal before the message is read has no id.
        return JSON.stringify(Array.isArray(answer) ? answer : { ...answer, id: answer.id ?? id })
      } catch (error) {
        if (cancel.signal.aborted) return null
        const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
        return is_answered ? failure(id, SERVER_ERROR, `${url} cannot be reached (${reason}). ${START}`) : null
      } finally {
        if (cancels.get(id) === cancel) cancels.delete(id)
      }
    },
  }
}

/** HTTP headers that repeat parts of the message: the revision, and since 2026 the method and its name. */
function mcpHeaders({ method, params }: Message, chosen: string | undefined): Record<string, string> {
  const revision = params?._meta?.[REVISION_KEY]
  if (typeof revision !== 'string') return chosen === undefined ? {} : { 'mcp-protocol-version': chosen }
  const named = params?.name ?? params?.uri
  return {
    'mcp-protocol-version': revision,
    'mcp-method': String(method),
    ...(typeof named === 'string' ? { 'mcp-name': headerValue(named) } : {}),
  }
}

/** A value that is not allowed in a header is sent as base64. */
const headerValue = (text: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`

/** Another server, or another path of this one, may answer JSON too. */
const isOfProtocol = (answer: Answer | null | undefined): answer is Answer =>
  Array.isArray(answer) || answer?.jsonrpc === '2.0'

/** Undefined if the text is not JSON. */
function parse<T>(text: string): T | null | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const failure = (id: string | number | null, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })

/** Two ways in which an agent reaches the account API: REST with the typed client, and MCP with the official one. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { AccountApiFailure, createAccountClient } from '#contract/account-api/client.ts'
import { type AccountOperation, accountApiOperations } from '#contract/account-api/index.ts'
import type { HttpOperation } from '#contract/operation.ts'

export type OperationId = AccountOperation['id']

/** What an agent learns of a refusal. */
export interface Refused {
  code: string
  fields: string[]
  message: string
}

export interface Agent {
  /** The answer of an operation. */
  ask<Answer>(id: OperationId, input?: object): Promise<Answer>
  /** What it is refused with. */
  refusal(id: OperationId, input?: object): Promise<Refused>
  close(): Promise<void>
}

interface FailureBody {
  code: string
  message: string
  errors?: readonly { code: string }[]
}
const refusedBy = ({ code, message, errors = [] }: FailureBody): Refused => ({
  code,
  message,
  fields: errors.map((error) => error.code),
})

export function restAgent(base_url: string, token: string): Agent {
  const client = createAccountClient({ base_url, token }) as unknown as Record<
    string,
    (input: object) => Promise<never>
  >
  const ask = (id: OperationId, input: object = {}) => client[id]?.(input) ?? Promise.reject(new Error(`no ${id}`))
  return {
    ask,
    async refusal(id, input) {
      const failure = await ask(id, input).then(
        () => null,
        (error: unknown) => error,
      )
      if (failure instanceof AccountApiFailure && failure.code !== null) {
        return refusedBy({ code: failure.code, message: failure.message, errors: failure.errors })
      }
      throw new Error(`${id} was not refused`, { cause: failure })
    },
    close: async () => {},
  }
}

export async function mcpAgent(base_url: string, token: string): Promise<Agent> {
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base_url}/mcp`), { requestInit }))
  // From here on the client checks every answer against the schema that its tool declares.
  await client.listTools()
  const call = (id: OperationId, input: object = {}) =>
    client.callTool({ name: toolOf(id), arguments: input as Record<string, unknown> })
  return {
    async ask<Answer>(id: OperationId, input?: object) {
      const { isError, content, structuredContent } = await call(id, input)
      if (isError === true) throw new Error(`${id} was refused: ${JSON.stringify(content)}`)
      return structuredContent as Answer
    },
    async refusal(id, input) {
      const { isError, content } = await call(id, input)
      const [first] = content
      if (isError !== true || first?.type !== 'text') throw new Error(`${id} was not refused`)
      return refusedBy(JSON.parse(first.text) as FailureBody)
    },
    close: () => client.close(),
  }
}

function toolOf(id: OperationId): string {
  const operation: HttpOperation | undefined = accountApiOperations.find((each) => each.id === id)
  if (operation?.mcp === undefined) throw new Error(`${id} has no tool`)
  return operation.mcp.tool
}

/** The tools of MCP as a table: every operation whose contract names a tool (account API 6, decisions 6). */
import { type AccountOperation, accountApiOperations } from '#contract/account-api/index.ts'
import { addressesSite, type HttpOperation } from '#contract/operation.ts'
import { operations, type SiteOperation } from '#contract/site-api/index.ts'

type WithTool<O> = Extract<O, { readonly mcp: { readonly tool: string } }>

/** Of surface B. */
export interface AccountTool {
  name: string
  surface: 'account'
  operation: AccountOperation
}

/** Of surface A, for the sites of the token’s person. */
export interface SiteTool {
  name: string
  surface: 'site'
  operation: SiteOperation
}

export type Tool = AccountTool | SiteTool

/** In the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  ...accountApiOperations.filter(hasTool).map((operation) => ({
    name: operation.mcp.tool,
    surface: 'account' as const,
    operation,
  })),
  ...operations.filter(hasTool).map((operation) => ({
    name: operation.mcp.tool,
    surface: 'site' as const,
    operation,
  })),
]

/** The arguments of a tool's operation, by the part of an HTTP request that carries them. */
export function argumentsOf(operation: HttpOperation): {
  path: readonly string[]
  query: readonly string[]
  body: readonly string[]
} {
  return {
    path: [...(addressesSite(operation) ? ['site'] : []), ...Object.keys(operation.params.properties)],
    // Tools answer JSON only.
    query: Object.keys(operation.query.properties).filter((name) => name !== 'format'),
    body: Object.keys(operation.body?.properties ?? {}),
  }
}

function hasTool<O extends HttpOperation>(operation: O): operation is O & WithTool<O> {
  return operation.mcp !== undefined
}

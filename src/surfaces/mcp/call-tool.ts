/**
 * One call of a tool: the checks and functions of its operation, and its answer or failure as a result (account API 6).
 */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { AccountTokenCaller } from '#accounts/caller.ts'
import type { AccountOperation } from '#contract/account-api/index.ts'
import { addressesSite, type HttpOperation } from '#contract/operation.ts'
import type { SiteOperation } from '#contract/site-api/index.ts'
import type { ResolvedSubject } from '#implementation.ts'
import { type AccountApi, accountTable } from '../account-api/account-api.ts'
import { checkCall } from '../account-api/check-call.ts'
import { invalidRequest } from '../account-api/failures.ts'
import { meterRequest } from '../account-api/meter.ts'
import { checkSentBody, joinAccountInput, readKey } from '../account-api/read-input.ts'
import { decodeInput } from '../http/decode-input.ts'
import { checkBody, checkUrlIsOnSite } from '../http/read-body.ts'
import { carryOut, type OperationTable, validatorOf } from '../register-operations.ts'
import { cleanStrings } from './clean-text.ts'
import { describeCompleteness } from './completeness.ts'
import { foreignTextOf } from './describe-tool.ts'
import { type Arguments, namesIn, splitArguments } from './read-arguments.ts'
import { describeToolFailure } from './tool-failures.ts'
import type { Tool } from './tools.ts'

/** The tables of both surfaces. */
export interface ToolTables<Services> {
  account: AccountApi
  site: OperationTable<SiteOperation, Services>
}

/** One request that may call tools. */
export interface McpCall {
  caller: AccountTokenCaller
  /** Headers of the HTTP answer, set as tools are called. */
  headers: Record<string, string>
  /** Whether any call has reached its tool. */
  is_reached: boolean
  /** Is called with failures that the caller cannot correct. */
  onBug(error: unknown, operation: string): void
}

/** Never throws: what is refused or fails is a result too. */
export async function callTool<Services>(
  tables: ToolTables<Services>,
  call: McpCall,
  tool: Tool,
  given: Arguments,
): Promise<CallToolResult> {
  call.is_reached = true
  try {
    const output =
      tool.surface === 'account'
        ? await callAccountTool(tables.account, call, tool.operation, given)
        : await callSiteTool(tables, call, tool.operation, given)
    return describeAnswer(tool, cleanStrings(output))
  } catch (error) {
    const { body, headers, bug } = describeToolFailure(error, tool)
    if (bug) call.onBug(error, tool.operation.id)
    Object.assign(call.headers, headers)
    return { isError: true, content: [{ type: 'text', text: JSON.stringify(body) }] }
  }
}

/** In the order of account API 1. */
async function callAccountTool(
  api: AccountApi,
  call: McpCall,
  operation: AccountOperation,
  given: Arguments,
): Promise<object> {
  const { caller } = call
  const http: HttpOperation = operation
  const ids = namesIn(operation, given)
  await checkCall(api, operation, caller, ids, (headers) => void Object.assign(call.headers, headers))
  const subject = await api.admit(operation, caller, String(ids.brandId))
  const { path, query, body, idempotency_key, faults } = splitArguments(operation, given)
  const sent = http.body === undefined ? { faults: [] } : checkSentBody(operation, body)
  const parts = {
    path,
    given: query,
    key: http.idempotent === true ? readKey(idempotency_key) : { faults: [] },
    body: { ...sent, faults: [...faults, ...sent.faults] },
  }
  const about = { brand: subject.brand, account_id: caller.account_id }
  const input = await joinAccountInput(api.services, operation, parts, about)
  return carryOut(accountTable(api), operation, caller, input, subject)
}

/** In the order of surface A; the quota is counted first. */
async function callSiteTool<Services>(
  { account, site: table }: ToolTables<Services>,
  call: McpCall,
  operation: SiteOperation,
  given: Arguments,
): Promise<object> {
  const { caller } = call
  Object.assign(call.headers, await meterRequest(account.services, caller.account_id))
  // Without a site the arguments are refused below.
  const is_named = !addressesSite(operation) || typeof given.site === 'string'
  const subject = is_named ? await table.admit(operation, caller, String(given.site)) : {}
  const { path, query, body, faults } = splitArguments(operation, given)
  if (faults.length > 0) throw invalidRequest(faults)
  const pairs = [...query].map(([name, [value = '']]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
  const input = { ...decodeInput(operation, path, pairs.join('&')), ...checkSiteBody(operation, subject, body) }
  return carryOut(table, operation, caller, input, subject)
}

function checkSiteBody(operation: HttpOperation, { site }: ResolvedSubject, body: Arguments): Arguments {
  if (operation.body === undefined) return {}
  const checked = checkBody(body, validatorOf(operation.body))
  if (site !== undefined && 'url' in checked) checkUrlIsOnSite(checked.url, site.root_domain)
  return checked
}

/** How whole the answer is, the answer as text, and the same as an object. */
function describeAnswer({ name }: Tool, output: object): CallToolResult {
  const texts = [[describeCompleteness(output), foreignTextOf(name)].filter(Boolean).join(' '), JSON.stringify(output)]
  return {
    content: texts.map((text) => ({ type: 'text', text })),
    structuredContent: output as Record<string, unknown>,
  }
}

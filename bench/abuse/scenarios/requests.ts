/** Requests generated from the contract, for every operation of the three APIs, the tools, and what senders call. */

import { deprecatedOperations } from '#contract/account-api/deprecated.ts'
import { accountApiOperations } from '#contract/account-api/index.ts'
import { dashboardOperations } from '#contract/dashboard-api/index.ts'
import { managementOperations } from '#contract/management-api/index.ts'
import type { HttpOperation, Operation } from '#contract/operation.ts'
import { operations } from '#contract/site-api/index.ts'
import { ACCOUNT_ERRORS } from '#contract/vocabulary.ts'
import { describeTool } from '#surfaces/mcp/describe-tool.ts'
import { TOOLS } from '#surfaces/mcp/tools.ts'
import {
  type Answer,
  type Ask,
  checkOutput,
  dashboardRequest,
  forgetQuotas,
  HARMFUL,
  inputOf,
  knownOf,
  ofNothing,
  poolOf,
  REQUESTS,
  requestOf,
  type SentInput,
  sample,
  sendOne,
} from '../generated-requests.ts'
import type { Round, Scenario } from '../scenario.ts'
import { check } from '../scenario.ts'
import { askAsSender } from '../sender-requests.ts'
import { type Attacked, underAttack } from '../under-attack.ts'

export const requestScenarios: readonly Scenario[] = [
  scenario('requests-site-api', 'operation of the site API', askSiteApi),
  scenario('requests-account-api', 'operation of the account API, deprecated routes among them', askAccountApi),
  scenario('requests-dashboard-api', 'operation of the dashboard’s API', askDashboardApi),
  scenario('requests-mcp', 'tool of MCP', askTools),
  scenario(
    'requests-senders',
    'of /collect, /collect/server (also with an unknown key) and /intake/logs',
    askAsSender,
    'requests with generated bodies',
  ),
]

function scenario(name: string, what: string, ask: Ask, requests = 'requests generated from the contract'): Scenario {
  return {
    name,
    does: `${REQUESTS} ${requests} for each ${what}`,
    holds: 'no 500; every answer has the form that the contract gives it',
    run: async (round) =>
      underAttack(await round.installed(), async (attacked) => {
        attacked.client.compares_history = false
        const statuses = new Map<number, number>()
        const send = async (asked: SentInput) => {
          const answer = await sendOne(attacked, asked)
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          return answer
        }
        const asked_of = await ask(attacked, round, send)
        const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`)
        return `${asked_of} × ${REQUESTS}, ${counts.join(', ')}`
      }),
  }
}

async function askSiteApi(
  attacked: Attacked,
  round: Round,
  send: (asked: SentInput) => Promise<Answer>,
): Promise<number> {
  const pool = await poolOf(attacked, send)
  const bearer = { authorization: `Bearer ${attacked.installed.secrets.site_key}`, 'content-type': 'application/json' }
  for (const operation of operations as readonly HttpOperation[]) {
    round.says(operation.id)
    // The input takes the site from the path.
    const { properties } = operation.input
    const schema = { ...operation.input, properties: { ...properties, site: { type: 'string' } }, required: [] }
    for (const input of sample(inputOf(schema, knownOf(attacked, pool)), round)) {
      const asked = { method: operation.method, headers: bearer, ...requestOf(operation, input) }
      const { status, body, text } = await send(asked)
      if (status === 200 && text.startsWith('{')) checkOutput(operation, body, asked.path)
      if (status >= 400) check(typeof body.title === 'string' && body.status === status, `${asked.path}: ${text}`)
    }
  }
  return operations.length
}

async function askAccountApi(
  attacked: Attacked,
  round: Round,
  send: (asked: SentInput) => Promise<Answer>,
): Promise<number> {
  const pool = await poolOf(attacked, send)
  const bearer = {
    authorization: `Bearer ${attacked.installed.secrets.account_token}`,
    'content-type': 'application/json',
  }
  const all: readonly HttpOperation[] = [...accountApiOperations, ...deprecatedOperations]
  for (const operation of all) {
    round.says(operation.id)
    for (const input of sample(inputOf(operation.input, knownOf(attacked, pool)), round)) {
      forgetQuotas(attacked)
      const asked = { method: operation.method, headers: bearer, ...requestOf(operation, input) }
      const { status, body, text } = await send(asked)
      if (status < 300) checkOutput(operation, body, asked.path)
      else check(ACCOUNT_ERRORS[body.code as keyof typeof ACCOUNT_ERRORS] === status, `${asked.path}: ${text}`)
    }
  }
  return all.length
}

async function askDashboardApi(
  attacked: Attacked,
  round: Round,
  send: (asked: SentInput) => Promise<Answer>,
): Promise<number> {
  const pool = await poolOf(attacked, send)
  const all: readonly Operation[] = [
    ...operations,
    // A token reads its account; a session has getSession.
    ...accountApiOperations.filter(({ id }) => id !== 'getAccount'),
    ...managementOperations,
    ...dashboardOperations,
  ]
  // It takes no name, so it would suspend the honest client's own account.
  for (const operation of all.filter(({ id }) => id !== 'account.suspend')) {
    round.says(operation.id)
    const known = HARMFUL.test(operation.id) ? ofNothing : knownOf(attacked, pool)
    const named = { site: { type: 'string' }, brandId: { type: 'string' } }
    const { properties } = operation.input
    const schema = { ...operation.input, properties: 'path' in operation ? { ...named, ...properties } : properties }
    for (const input of sample(inputOf(schema, known), round)) {
      const asked = dashboardRequest(attacked, operation, input)
      const { status, body, text } = await send(asked)
      if (status >= 400) check(typeof body.code === 'string', `${asked.path} ${asked.body ?? ''}: ${text}`)
      else if (text.startsWith('{')) checkOutput(operation, body, `${asked.path} ${asked.body ?? ''}`)
    }
  }
  return all.length
}

async function askTools(
  attacked: Attacked,
  round: Round,
  send: (asked: SentInput) => Promise<Answer>,
): Promise<number> {
  const pool = await poolOf(attacked, send)
  const headers = {
    authorization: `Bearer ${attacked.installed.secrets.account_token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  for (const tool of TOOLS) {
    round.says(tool.name)
    const { inputSchema } = describeTool(tool)
    for (const given of sample(inputOf(inputSchema, knownOf(attacked, pool)), round)) {
      forgetQuotas(attacked)
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool.name, arguments: given } }
      const { status, body, text } = await send({
        method: 'POST',
        path: '/mcp',
        headers,
        body: JSON.stringify(message),
      })
      const said = `${tool.name} ${JSON.stringify(given)}: ${text.slice(0, 500)}`
      check(status === 200, said)
      const { result } = body as {
        result?: { isError?: boolean; content: { text: string }[]; structuredContent?: unknown }
      }
      check(result !== undefined, said)
      if (result.isError !== true) checkOutput(tool.operation, result.structuredContent, said)
      else check(!/server_error|internal_error/.test(String(result.content[0]?.text)), said)
    }
  }
  return TOOLS.length
}

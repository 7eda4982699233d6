/** MCP over the real HTTP stack, with the official client and with plain requests (account API 6). */
import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccountToken } from '#accounts/account-tokens.ts'
import { addBrand } from '#brands/brands.ts'
import { HOURLY_LIMIT } from '#control/quotas/rings.ts'
import { history } from '#demo/history.ts'
import { TOOLS } from '#surfaces/mcp/tools.ts'
import { SLUG } from '../../operations/ask.ts'
import { addPerson } from '../../operations/people.ts'
import { type Answer, openTestService, type TestService } from '../../support/service.ts'

const REVISION = '2026-07-28'
const MISSING = '00000000-0000-4000-8000-000000000000'
let service: TestService
let url: URL
let key: string
let reading: string
let brandId: string
const clients: Client[] = []

beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  const { operator } = service.installation
  url = new URL(`http://127.0.0.1:${await service.listen()}/mcp`)
  key = (await createAccountToken(operator, { ...operator, name: 'agent', scope: 'write' })).secret
  reading = (await createAccountToken(operator, { ...operator, name: 'reader', scope: 'read' })).secret
  const names = { name: 'Acme', aliases: [], domains: ['acme.example'] }
  brandId = (await addBrand(operator, { account_id: operator.account_id, site_id: null, ...names })).id
  const site = await service.addSite('acme.example')
  await service.importText(site, history().on('2026-03-09').crawler('gptbot').requests(1))
})
afterAll(async () => {
  for (const client of clients) await client.close()
  await service.close()
})

/** A client of the revision of 2026 or, as most are, of those of 2025. */
async function connect(mode: 'legacy' | { pin: string }, token = key): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  clients.push(client)
  return client
}

/** A message of 2025, as curl would send it. */
const send = (message: unknown, options: { token?: string | null; headers?: Record<string, string> } = {}) =>
  service.ask('/mcp', {
    method: 'POST',
    key: options.token === undefined ? key : options.token,
    body: typeof message === 'string' ? message : JSON.stringify(message),
    headers: { 'content-type': 'application/json', ...options.headers },
  })
const request = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const call = (name: string, given: object = {}, options: Parameters<typeof send>[1] = {}) =>
  send(request('tools/call', { name, arguments: given }), options)

/** A message of 2026: the revision stands in the message, and method and name in headers too. */
const sendModern = (method: string, params: Record<string, unknown> = {}, headers: Record<string, string> = {}) => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return send(request(method, { ...params, _meta }), {
    headers: { 'mcp-protocol-version': REVISION, 'mcp-method': method, ...headers },
  })
}

interface Result {
  isError?: boolean
  content: { type: string; text: string }[]
  structuredContent?: Record<string, unknown>
}
const resultOf = ({ json }: Answer) => json.result as Result
const failureOf = (answer: Answer) => {
  const { isError, content, structuredContent } = resultOf(answer)
  expect([answer.status, isError, structuredContent, content.length]).toEqual([200, true, undefined, 1])
  return JSON.parse(String(content[0]?.text)) as { code: string; errors?: { path: unknown[]; code: string }[] }
}
const errorOf = ({ status, json }: Answer) => [status, (json.error as { code: number } | undefined)?.code]

describe.each([
  ['2025', 'legacy'],
  ['2026', { pin: REVISION }],
] as const)('the official client of the revision of %s', (_year, mode) => {
  test('lists every tool with schemas and hints that a client accepts, in one order', async () => {
    const client = await connect(mode)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
    for (const { name, inputSchema, outputSchema, annotations, description } of tools) {
      expect([name, inputSchema.type, outputSchema?.type]).toEqual([name, 'object', 'object'])
      expect(annotations?.openWorldHint).toBe(name === 'run_access_check')
      expect(String(description).length).toBeGreaterThan(10)
    }
    const writes = tools.filter(({ annotations }) => annotations?.readOnlyHint === false)
    for (const { name, annotations } of writes) {
      expect([name, annotations?.destructiveHint]).toEqual([name, false])
      expect([name, annotations?.idempotentHint]).toEqual([name, name !== 'add_questions'])
    }
    expect(client.getInstructions()).toMatch(/never zero/)
  })

  test('reads the same as over REST, checked against the output schema, with a sentence before it', async () => {
    const client = await connect(mode)
    // The client checks what it gets against the schemas that it listed.
    await client.listTools()
    const read = async (name: string, given: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: given })) as unknown as Result
    const brands = await read('list_brands', { limit: 1 })
    const { json } = await service.ask('/api/v1/brands?limit=1', { key })
    expect(brands.structuredContent).toEqual(json)
    expect(brands.content[0]?.text).toBe('This is the current state. 1 of 1 items; none follow.')
    expect(JSON.parse(String(brands.content[1]?.text))).toEqual(json)
    const performance = await read('get_performance', { site: 'acme.example', window: '7d', purpose: ['training'] })
    expect(performance.structuredContent).toMatchObject({ observed_request_count: 1 })
    const filtered = await read('get_performance', { site: 'acme.example', window: '7d' })
    expect(filtered.structuredContent).toMatchObject({ observed_request_count: 0 })
    expect(filtered.content[0]?.text).toMatch(/The purpose filter leaves out 1 observed request: see hidden_by/)
    expect((await read('list_sites')).structuredContent).toMatchObject({ sites: [{ root_domain: 'acme.example' }] })
    expect((await read('list_answers', { brandId })).content[0]?.text).toMatch(/never instructions/)
  })

  test('writes, and reads the glossary and both documents', async () => {
    const client = await connect(mode)
    const text = `Which rocket skates are best in ${JSON.stringify(mode)}?`
    const added = await client.callTool({ name: 'add_questions', arguments: { brandId, questions: [{ text }] } })
    expect(added.structuredContent).toMatchObject({ created: [{ text, kind: 'unbranded' }], rejected: [] })
    const { resources } = await client.listResources()
    for (const { uri } of resources) {
      const [found] = (await client.readResource({ uri })).contents
      expect(found && 'text' in found ? found.text.length : 0).toBeGreaterThan(1_000)
    }
    expect(resources.length).toBe(3)
    await expect(client.callTool({ name: 'drop_everything', arguments: {} })).rejects.toThrow(ProtocolError)
  })
})

describe('what HTTP refuses before any message', () => {
  test('no token, a foreign one, a closed account, a page of another origin', async () => {
    const list = request('tools/list')
    const refused = await send(list, { token: null })
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect((await send(list, { token: (await service.createKey()).secret })).status).toBe(401)
    const { db } = service.installation.control
    await db.updateTable('accounts').set({ status: 'suspended' }).execute()
    expect((await send(list)).status).toBe(403)
    await db.updateTable('accounts').set({ status: 'active' }).execute()
    const from = async (origin: string, host = url.host) => (await send(list, { headers: { origin, host } })).status
    expect(await from('http://evil.example')).toBe(403)
    expect(await from('null')).toBe(403)
    // A foreign name that resolves to this machine.
    expect(await from(`http://rebound.example:${url.port}`, `rebound.example:${url.port}`)).toBe(403)
    expect(await from(url.origin)).toBe(200)
  })

  test('GET, DELETE, a body that is not JSON, a body that is too long', async () => {
    for (const method of ['GET', 'DELETE'] as const) {
      const answer = await service.ask('/mcp', { method, key })
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST'])
    }
    expect(errorOf(await send('{'))).toEqual([400, -32_700])
    expect(errorOf(await send(`"${'x'.repeat(256 * 1024)}"`))).toEqual([400, -32_700])
  })

  test('more than 600 messages a minute that call no tool', async () => {
    const { operator } = service.installation
    const token = (await createAccountToken(operator, { ...operator, name: 'hasty', scope: 'read' })).secret
    const batch = Array.from({ length: 60 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
    for (let n = 0; n < 10; n++) expect((await send(batch, { token })).status).toBe(200)
    const refused = await send(request('ping'), { token })
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
    // Refused before the tool, so no quota counts it.
    const params = { name: 'get_account', arguments: {} }
    for (const uncounted of [
      request('tools/call', { ...params, arguments: [] }),
      request('tools/call', { ...params, arguments: null }),
      { ...request('tools/call', params), id: undefined },
      { ...request('tools/call', params), id: 1.5 },
    ]) {
      expect((await send(uncounted, { token })).status).toBe(429)
    }
    // Refused by the protocol before a tool is called.
    const asked = request('tools/call', params)
    const unknown = { 'mcp-protocol-version': '1999-01-01' }
    expect((await send(asked, { token, headers: unknown })).status).toBe(429)
    const many = Array.from({ length: 101 }, (_, id) => ({ ...asked, id }))
    expect((await send(many, { token })).status).toBe(429)
    expect((await call('get_account', {}, { token })).status).toBe(200)
    service.clock.advance(60_000)
    expect((await send(request('ping'), { token })).status).toBe(200)
  })
})

describe('the protocol', () => {
  test('of 2026: headers that contradict, an unknown revision, an unknown method, a notification', async () => {
    expect((await sendModern('tools/list')).json.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' })
    expect(errorOf(await sendModern('tools/list', {}, { 'mcp-method': 'tools/call' }))).toEqual([400, -32_020])
    const unknown = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    const asked = request('tools/list', { _meta: unknown })
    const headers = { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' }
    expect(errorOf(await send(asked, { headers }))).toEqual([400, -32_022])
    for (const version of ['2099-01-01', '1999-01-01']) {
      const answer = await send(request('tools/list'), { headers: { 'mcp-protocol-version': version } })
      expect(errorOf(answer)).toEqual([400, -32_022])
      expect(answer.json).toMatchObject({ id: 1, error: { data: { requested: version } } })
    }
    expect((await send(request('ping'), { headers: { 'mcp-protocol-version': '2025-06-18' } })).status).toBe(200)
    expect(errorOf(await sendModern('no/such'))).toEqual([404, -32_601])
    expect((await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202)
    expect(errorOf(await sendModern('subscriptions/listen', { notifications: {} }))[1]).toBe(-32_603)
  })

  test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    'of %s: the list of tools says how long it may be kept',
    async (version) => {
      const { json } = await send(request('tools/list'), { headers: { 'mcp-protocol-version': version } })
      expect(json.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' })
    },
  )

  test('every fault of the arguments is named, those that the tool does not know too', async () => {
    const { code, errors = [] } = failureOf(
      await call('get_brand_report', { brandId, limit: 1, from: 'x', branded: 1 }),
    )
    expect([code, ...errors.map((error) => [...error.path, error.code].join(' '))]).toEqual([
      ...['invalid_request', 'from invalid_date', 'branded invalid_boolean', 'limit invalid'],
    ])
  })

  test('a malformed content type is a body that cannot be read', async () => {
    for (const type of ['json', 'application/json, text/plain', '']) {
      expect(errorOf(await send(request('ping'), { headers: { 'content-type': type } }))).toEqual([400, -32_700])
    }
  })

  test('an unknown method is 404 and -32601 in every revision', async () => {
    expect(errorOf(await send(request('no/such')))).toEqual([404, -32_601])
    for (const version of ['2025-03-26', '2025-06-18', '2025-11-25']) {
      const answer = await send(request('prompts/list'), { headers: { 'mcp-protocol-version': version } })
      expect([...errorOf(answer), answer.json.id]).toEqual([404, -32_601, 1])
      for (const of_2026 of ['server/discover', 'subscriptions/listen']) {
        const refused = await send(request(of_2026), { headers: { 'mcp-protocol-version': version } })
        expect(errorOf(refused)).toEqual([404, -32_601])
      }
    }
    expect((await send([request('no/such'), request('ping')])).status).toBe(200)
  })

  test('a batch is answered by a list, also where it has one request', async () => {
    const done = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const answered = async (...batch: unknown[]) => JSON.parse((await send(batch)).text) as unknown
    expect(await answered(request('ping'))).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
    expect(await answered(done, request('ping'))).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
    expect(await answered(request('no/such'))).toMatchObject([{ id: 1, error: { code: -32_601 } }])
    expect(await answered(request('resources/read'))).toMatchObject([{ id: 1, error: { code: -32_602 } }])
    expect(errorOf(await send([]))).toEqual([400, -32_600])
    expect((await send([done])).status).toBe(202)
  })

  test('parameters of another form than their method has are -32602, in words', async () => {
    const wrong = ['params.uri: Invalid input: expected string, received undefined.', -32_602, 1] as const
    const described = ({ json }: Answer) => {
      const { code, message } = json.error as { code: number; message: string }
      return [message.replace('Invalid parameters. ', ''), code, json.id]
    }
    expect(described(await send(request('resources/read')))).toEqual(wrong)
    expect(described(await sendModern('resources/read'))).toEqual(wrong)
    const batch = await send([{ ...request('ping'), id: 2 }, request('resources/read')])
    const batched = JSON.parse(batch.text) as Answer['json'][]
    expect(described({ json: batched.find(({ id }) => id === 1) } as Answer)).toEqual(wrong)
    const nameless = await send(request('tools/call'))
    expect(described(nameless)[0]).toBe('params.name: Invalid input: expected string, received undefined.')
    const unknown = await send(request('resources/read', { uri: 'spoor://[' }))
    expect(described(unknown)).toEqual(['Resource not found: spoor://[', -32_602, 1])
  })

  test.each(['tools/list', 'resources/list', 'resources/templates/list'])('%s has no cursor', async (method) => {
    expect(errorOf(await send(request(method, { cursor: 'x' })))[1]).toBe(-32_602)
    expect(errorOf(await sendModern(method, { cursor: 'x' }))[1]).toBe(-32_602)
    expect((await send(request(method))).status).toBe(200)
  })

  test('a request that is cancelled in its own batch is answered all the same', async () => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    const account = request('tools/call', { name: 'get_account', arguments: {} })
    const { text } = await send([account, cancel, { ...request('ping'), id: 2 }])
    expect((JSON.parse(text) as { id: number }[]).map(({ id }) => id).sort()).toEqual([1, 2])
    expect((await send(cancel)).status).toBe(202)
  })

  test('an unknown tool is -32602 and is not counted', async () => {
    const before = await remaining()
    expect(errorOf(await call('no_such_tool'))).toEqual([200, -32_602])
    expect(await remaining()).toBe(before - 1)
  })
})

/** Asking costs one request itself. */
const remaining = async () => Number((await service.ask('/api/v1/account', { key })).headers['x-ratelimit-remaining'])

describe('failures of tools are results', () => {
  const codesOf = (answer: Answer) => {
    const { code, errors = [] } = failureOf(answer)
    return [code, ...errors.map((error) => `${error.path.join('.')} ${error.code}`)]
  }

  test('a write with a read token is forbidden, and not counted', async () => {
    const before = await remaining()
    const given = { brandId, questions: [{ text: 'a' }] }
    expect(codesOf(await call('add_questions', given, { token: reading }))).toEqual(['forbidden'])
    expect(await remaining()).toBe(before - 1)
  })

  test('every fault of the arguments at once, in the order of surface B', async () => {
    expect(codesOf(await call('get_answer', { brandId: 'x' }))).toEqual([
      ...['invalid_request', 'brandId invalid_uuid', 'answerId required'],
    ])
    expect(codesOf(await call('list_questions', { brandId: MISSING, limit: 0 }))).toEqual(['not_found'])
    expect(codesOf(await call('list_questions', { brandId, limit: '5', status: 1, offset: true }))).toEqual([
      ...['invalid_request', 'status invalid_status', 'limit invalid_limit', 'offset invalid_offset'],
    ])
    expect(codesOf(await call('list_answers', { brandId, engines: ['bing'], mentioned: 'true' }))).toEqual([
      ...['invalid_request', 'engines unknown_engine', 'mentioned invalid_boolean'],
    ])
    expect(codesOf(await call('list_answers', { brandId, brand_id: 1 }))).toEqual([
      'invalid_request',
      'brand_id invalid',
    ])
    expect(codesOf(await call('list_questions', { brandId, status: ['active'], country: ['DE'], kind: [] }))).toEqual([
      ...['invalid_request', 'kind invalid_kind', 'status invalid_status', 'country invalid_country'],
    ])
    const faulty = { brandId, questions: [{ text: '' }], idempotency_key: '' }
    expect(codesOf(await call('add_questions', faulty))).toEqual([
      ...['invalid_request', 'idempotency_key invalid', 'questions.0.text invalid'],
    ])
    // Agents know the argument, and not the header of REST.
    expect(failureOf(await call('add_questions', faulty))).toMatchObject({
      message: 'The request is invalid: idempotency_key, questions.0.text. The errors say what is allowed.',
    })
  })

  test('of very many unknown arguments the first 200 are named', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`m${at}`, 0]))
    expect(failureOf(await call('list_brands', many)).errors).toHaveLength(200)
  })

  test.each([
    ['a number', '5'],
    ['a list', `["${MISSING}"]`],
    ['null', 'null'],
    ['an object that is not a text', '{"toString":1,"valueOf":1}'],
    // As text, because JSON.stringify has not always enough stack for it.
    ['a deep list', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ])('%s names nothing, and counts', async (_name, id) => {
    const callWith = (name: string, given: string) =>
      send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`)
    const before = await remaining()
    expect(codesOf(await callWith('get_brand_report', `{"brandId":${id}}`))).toEqual([
      ...['invalid_request', 'brandId invalid_uuid'],
    ])
    expect(codesOf(await callWith('get_answer', `{"brandId":"${brandId}","answerId":${id}}`))).toEqual([
      ...['invalid_request', 'answerId invalid_uuid'],
    ])
    expect(codesOf(await callWith('get_performance', `{"site":${id}}`))).toEqual(['invalid_request', 'site invalid'])
    expect(await remaining()).toBe(before - 4)
  })

  test('problems of surface A have the codes of surface B', async () => {
    expect(codesOf(await call('get_performance', {}))).toEqual(['invalid_request', 'site required'])
    expect(codesOf(await call('get_performance', { site: 'other.example' }))).toEqual(['not_found'])
    expect(codesOf(await call('get_performance', { site: 'acme.example', window: '2d' }))).toEqual(['invalid_request'])
    expect(codesOf(await call('get_performance', { site: 'acme.example', window: ['7d'] }))).toEqual([
      'invalid_request',
    ])
    expect(codesOf(await call('get_funnels', { site: 'acme.example', window: '365d' }))).toEqual(['invalid_request'])
    const missing = await call('get_funnel', { site: 'acme.example', funnel: SLUG })
    expect(codesOf(missing)).toEqual(['not_found'])
    // A tool has no paths.
    expect(JSON.stringify(missing)).toContain('the list of its funnels has every slug')
    const elsewhere = { site: 'acme.example', url: 'https://other.example/' }
    expect(codesOf(await call('run_access_check', elsewhere))).toEqual(['invalid_request'])
    expect(codesOf(await call('get_top_pages', { site: 'acme.example', format: 'csv' }))).toEqual([
      ...['invalid_request', 'format invalid'],
    ])
  })

  test('a person without the site does not see it', async () => {
    const { operator } = service.installation
    const person = await addPerson(service, operator.account_id)
    const { secret } = await createAccountToken(operator, { ...person, name: 'stranger', scope: 'read' })
    expect(resultOf(await call('list_sites', {}, { token: secret })).structuredContent).toEqual({ sites: [] })
    expect(codesOf(await call('get_performance', { site: 'acme.example' }, { token: secret }))).toEqual(['not_found'])
  })

  test('the quota is that of REST, and the HTTP answer has its headers', async () => {
    const counted = await call('get_account')
    expect(Number(counted.headers['x-ratelimit-remaining'])).toBe((await remaining()) + 1)
    const { operator, quotas } = service.installation
    while ((await quotas.count(operator.account_id, service.clock.now())).is_counted);
    const refused = await call('get_account')
    expect(failureOf(refused)).toMatchObject({ code: 'rate_limited', retry_after: expect.any(Number) })
    expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': String(HOURLY_LIMIT), 'x-ratelimit-remaining': '0' })
    expect((await send(request('tools/list'))).status).toBe(200)
    expect((await service.ask('/api/v1/account', { key })).status).toBe(429)
    service.clock.advance(2 * 3_600_000)
  })

  test('when the quota cannot be counted it is rate_limited, without headers of the quota', async () => {
    const { quotas } = service.installation
    const { count } = quotas
    quotas.count = async () => {
      throw new Error('disk I/O error')
    }
    try {
      const answer = await call('get_account')
      expect(failureOf(answer)).toMatchObject({ code: 'rate_limited', retry_after: 60 })
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
    } finally {
      quotas.count = count
    }
  })

  test('a message that is nested too deeply is refused', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const message = JSON.stringify(request('tools/call', { name: 'list_brands', arguments: { limit: 'DEEP' } }))
    const answer = await send(message.replace('"DEEP"', deep))
    expect(codesOf(answer)).toEqual(['invalid_request', 'limit invalid_limit'])
    const body = message.replace('"limit":"DEEP"', `"questions":${deep}`).replace('list_brands', 'add_questions')
    expect(codesOf(await send(body))[0]).toBe('invalid_request')
  })

  test('an internal failure is server_error and does not reveal its cause', async () => {
    const { schema } = service.installation.control.db
    await schema.alterTable('competitors').renameTo('mislaid').execute()
    try {
      const answer = await call('list_brands')
      expect(failureOf(answer)).toMatchObject({ code: 'server_error' })
      expect(answer.text).not.toMatch(/competitors|table|sqlite/i)
    } finally {
      await schema.alterTable('mislaid').renameTo('competitors').execute()
    }
  })
})

import { expect, test } from 'vitest'
import { preparedFolder, run, runJson, serve } from '../../support/cli.ts'
import { openHttpDouble } from '../../support/http-double.ts'

const REVISION = '2026-07-28'
const _meta = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const line = (id: number | undefined, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params })

test('spoor mcp passes messages of both revisions on to a server, and its answers back', async () => {
  const { data } = await preparedFolder()
  const server = await serve(data)
  const { secret } = await runJson(['token', 'create', '--name', 'agent', '--scope', 'read', '--data', data])
  const env = { SPOOR_URL: server.url, SPOOR_TOKEN: String(secret) }
  const converse = async (lines: readonly string[], changed: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await run(['mcp'], { input: `${lines.join('\n')}\n`, env: { ...env, ...changed } })
    expect([code, stderr]).toEqual([0, ''])
    const answers = stdout.split('\n').filter(Boolean)
    return new Map(answers.map((answer) => [JSON.parse(answer).id, JSON.parse(answer)]))
  }

  const of_2025 = await converse([
    line(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } }),
    line(undefined, 'notifications/initialized'),
    line(2, 'tools/call', { name: 'list_brands', arguments: {} }),
    'no JSON',
  ])
  expect(of_2025.get(1).result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'spoor' } })
  expect(of_2025.get(2).result.structuredContent).toMatchObject({ brands: [], total_count: 0 })
  expect(of_2025.get(null).error.code).toBe(-32_700)
  expect(of_2025.size).toBe(3)

  const of_2026 = await converse([
    line(1, 'server/discover', { _meta }),
    line('a' as never, 'tools/call', { name: 'get_account', arguments: {}, _meta }),
    line(3, 'resources/read', { uri: 'spoor://ä', _meta }),
  ])
  expect(of_2026.get(1).result.supportedVersions).toContain(REVISION)
  expect(of_2026.get('a').result.structuredContent).toMatchObject({ token: { name: 'agent' } })
  expect(of_2026.get(3).error.message).toMatch(/ä|not found/i)

  // A line ends at a line feed alone.
  const separated = await converse([line(4, 'tools/call', { name: 'get_account', arguments: { 'a\u2028\u2029': 1 } })])
  expect(JSON.parse(separated.get(4).result.content[0].text)).toMatchObject({ code: 'invalid_request' })
  expect(separated.size).toBe(1)

  const elsewhere = await converse([line(5, 'ping')], { SPOOR_URL: `${server.url}/v1` })
  expect(elsewhere.get(5)).toMatchObject({
    jsonrpc: '2.0',
    error: { message: expect.stringMatching(/404, .* Set SPOOR_URL .*without a path/) },
  })

  for (const text of ['null', '5', '"ping"', 'true'])
    expect((await converse([text])).get(null), text).toMatchObject({ jsonrpc: '2.0', error: { code: -32_600 } })

  // What is refused before the message is read answers the message all the same.
  const refused = await converse([line(7, 'ping')], { SPOOR_TOKEN: `spoor_acct_${'A'.repeat(43)}` })
  expect(refused.get(7).error).toMatchObject({ data: { code: 'unauthorized' } })
  await server.stop()
  const away = await converse([line(8, 'ping'), line(undefined, 'notifications/initialized')])
  expect(away.get(8).error.message).toMatch(/cannot be reached \(.*\)\. Start the service, or set SPOOR_URL/)
  expect(away.size).toBe(1)
})

test('a request that the client cancels is broken off and not answered', async () => {
  // It answers nothing but ping.
  const double = await openHttpDouble(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { id, method } = JSON.parse(Buffer.concat(parts).toString())
    if (method === 'ping') response.end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }))
  })
  const lines = [
    line(1, 'tools/call', { name: 'list_brands', arguments: {} }),
    line(undefined, 'notifications/cancelled', { requestId: 2 }),
    line(3, 'ping'),
    line(undefined, 'notifications/cancelled', { requestId: 1, reason: 'no longer wanted' }),
  ]
  const env = { SPOOR_URL: double.url, SPOOR_TOKEN: `spoor_acct_${'A'.repeat(43)}` }
  const { code, stdout, stderr } = await run(['mcp'], { input: `${lines.join('\n')}\n`, env })
  expect([code, stderr]).toEqual([0, ''])
  expect(
    stdout
      .split('\n')
      .filter(Boolean)
      .map((answer) => JSON.parse(answer).id),
  ).toEqual([3])
})

test('without a token it says what to set', async () => {
  const { code, stderr } = await run(['mcp'], { input: '' })
  expect([code, stderr]).toEqual([1, expect.stringMatching(/SPOOR_TOKEN is not set; .* account token/)])
})

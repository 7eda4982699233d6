/** The command beside a running service, with events coming in all the time (decisions 8.2). */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Type from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { inspectPostgresControl } from '#control/inspect.ts'
import { history } from '#demo/history.ts'
import { connectClickHouse } from '#evidence/clickhouse/open.ts'
import { count, rows } from '#evidence/sql.ts'
import { preparedFolder, run, runJson, serve } from '../../support/cli.ts'
import { BROWSER } from '../../support/collect.ts'
import { makeTarget } from '../../support/moving.ts'

const stored = rows(Type.Object({ events: count() }))`
  SELECT count() AS events FROM spoor.events FINAL WHERE stream = 'browser'`

test('a service moves while it accepts events: none is lost or doubled, and it refuses only at the end', async () => {
  const work = await preparedFolder()
  const target = await makeTarget(work.file('server'))
  onTestFinished(() => target.remove())
  const env = {
    SPOOR_DATABASE_URL: target.settings.database_url as string,
    SPOOR_CLICKHOUSE_URL: target.settings.clickhouse?.urls[0] as string,
  }
  const data = ['--data', work.data]
  const keyOf = () => ({ SPOOR_SECRET_KEY: readFileSync(join(work.data, 'secret.key'), 'utf8').trim() })
  const service = await serve(work.data)
  await runJson(['site', 'add', 'example.com', ...data])
  const { public_id } = await runJson<{ public_id: string }>(['tracker', 'enable', 'example.com', ...data])
  const { secret } = await runJson<{ secret: string }>(['key', 'create', '--name', 'reader', ...data])
  const { id: brand_id } = await runJson<{ id: string }>(['brand', 'add', 'Acme', ...data])
  const { secret: token } = await runJson<{ secret: string }>([
    ...['token', 'create', '--name', 'agent', '--scope', 'write', ...data],
  ])
  expect(await run(['migrate-to', '--status', ...data])).toMatchObject({ code: 0, stdout: 'No move has begun.\n' })
  expect(await run(['migrate-to', ...data])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no target is named'),
  })
  expect(await run(['migrate-to', '--give-up', ...data])).toMatchObject({ code: 1 })
  expect(await run(['migrate-to', '--status', '--data', work.file('missing')])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/missing does not exist: check --data or SPOOR_DATA/),
  })
  expect(await run(['migrate-to', '--status', '--give-up', ...data])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('give one of them'),
  })

  expect(await run(['migrate-to', ...data], { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('set it to what is in'),
  })

  const accepted: string[] = []
  const refused: Response[] = []
  let is_over = false
  const sender = async () => {
    while (!is_over) {
      const id = crypto.randomUUID()
      const answer = await fetch(`${service.url}/collect`, {
        method: 'POST',
        headers: { origin: 'https://example.com', 'user-agent': BROWSER, 'content-type': 'text/plain' },
        body: JSON.stringify({ v: 1, site: public_id, type: 'pageview', url: 'https://example.com/', id }),
      })
      if (answer.status === 202) accepted.push(id)
      else refused.push(answer)
      await pause(20)
    }
  }
  const sending = sender()
  await expect.poll(() => accepted.length).toBeGreaterThan(20)
  const report = await runJson<{ read_only_seconds: number; evidence: { rows: number } }>(['migrate-to', ...data], {
    env: { ...env, ...keyOf() },
  })
  expect(report.read_only_seconds).toBeLessThan(60)
  await expect.poll(() => refused.length).toBeGreaterThan(3)
  is_over = true
  await sending
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]))
  expect(refused[0]?.headers.get('retry-after')).toBe('30')
  const intake = await fetch(`${service.url}/intake/logs`, { method: 'POST', body: '{}' })
  expect([intake.status, intake.headers.get('retry-after')]).toEqual([503, '30'])
  const check = await fetch(`${service.url}/v1/sites/example.com/access-checks`, { method: 'POST' })
  expect([check.status, check.headers.get('retry-after')]).toEqual([500, '30'])
  const read = (path: string, key: string) =>
    fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  expect((await read('/v1/sites', secret)).status).toBe(200)
  expect((await read(`/api/v1/brands/${brand_id}/visibility`, token)).status).toBe(200)
  const callTool = async (name: string, given: object) => {
    const answer = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
    })
    const { result } = (await answer.json()) as { result: { isError?: boolean; content: [{ text: string }] } }
    return result
  }
  expect(await callTool('list_brands', {})).toMatchObject({ structuredContent: { brands: [{ name: 'Acme' }] } })
  const added = await callTool('add_questions', { brandId: brand_id, questions: [{ text: 'Which shop?' }] })
  expect([added.isError, JSON.parse(added.content[0].text).code]).toEqual([true, 'server_error'])
  expect(await run(['site', 'add', 'example.org', ...data])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^spoor: The stores of the data folder .* have moved to .*Set SPOOR_CLICKHOUSE_URL and/,
    ),
  })
  expect(await run(['backup', work.file('old.tar'), ...data])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('have moved to'),
  })
  expect(existsSync(work.file('old.tar'))).toBe(false)
  expect(await run(['doctor', '--json', ...data])).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/"stores_moved".*have moved to .*Set SPOOR_CLICKHOUSE_URL/s),
  })
  const log = work.file('access.log')
  writeFileSync(log, history().on('2026-03-07').crawler('gptbot').requests(3).text())
  expect(await run(['import', 'example.com', log, ...data])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('have moved to'),
  })
  const { stderr } = await service.stop()
  expect(stderr.match(/has moved/g)).toHaveLength(1)
  expect(stderr).toContain('stop it and start it with the settings of the servers')
  expect(stderr).not.toContain('"stack"')

  const { store } = connectClickHouse(env.SPOOR_CLICKHOUSE_URL, null)
  expect(await store.all(stored)).toEqual([{ events: accepted.length }])
  await store.close()
  expect(await run(['site', 'list', ...data])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('have moved to'),
  })
  const moved = await serve(work.data, [], { env: { ...env, ...keyOf() } })
  const answer = await fetch(`${moved.url}/v1/sites`, { headers: { authorization: `Bearer ${secret}` } })
  expect(await answer.text()).toContain('example.com')
  await moved.stop()
})

test('a folder without an installation is refused, and neither it nor the target gets any stores', async () => {
  const work = await preparedFolder()
  const target = await makeTarget(work.file('server'))
  onTestFinished(() => target.remove())
  const empty = work.file('empty')
  mkdirSync(empty)
  const database_url = target.settings.database_url as string
  const refused = await run(['migrate-to', '--data', empty], { env: { SPOOR_DATABASE_URL: database_url } })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/no installation exists here yet/)
  expect(readdirSync(empty)).toEqual([])
  expect(await inspectPostgresControl(database_url)).toMatchObject({ is_installed: false })
})

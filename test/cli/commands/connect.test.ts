/** `spoor source connect` against the stand-in. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '#clock.ts'
import { preparedFolder, run, runJson, serve } from '../../support/cli.ts'
import { type CloudflareStandIn, startCloudflareStandIn } from '../../support/cloudflare-stand-in.ts'

let cloudflare: CloudflareStandIn
let env: Record<string, string>
beforeEach(async () => {
  cloudflare = await startCloudflareStandIn(() => Date.now())
  const recent = new Date(Date.now() - 2 * HOUR_MS).toISOString()
  cloudflare.requests = Array(4).fill({ at: recent, user_agent: 'GPTBot/1.2' })
  cloudflare.limits.notOlderThan = 86_400
  cloudflare.records = [{ name: 'example.com', type: 'A', proxied: true }]
  env = {
    SPOOR_CLOUDFLARE_API_URL: cloudflare.url,
    SPOOR_ALLOW_NETWORKS: '127.0.0.0/8',
    SPOOR_ALLOW_PORTS: String(new URL(cloudflare.url).port),
  }
})
afterEach(() => cloudflare.close())

/** Everything in the data folder, as text to search in. */
function contents(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('')
}

describe('connecting a zone', () => {
  test('through a running service: the token is in no output, no log, no store and no backup', async () => {
    const { data, file } = await preparedFolder()
    const service = await serve(data, [], { env: { ...env, SPOOR_LOG_LEVEL: 'trace' } })
    await runJson(['site', 'add', 'example.com', '--data', data])
    writeFileSync(file('token'), `${cloudflare.token}\n`)
    const connect = ['source', 'connect', 'example.com', '--zone', '--token-file', file('token'), '--data', data]
    const connected = await run(connect, { env })
    expect(connected).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Connected the zone example\.com to example\.com: source /),
    })
    expect(connected.stdout).toContain('Proxied names: example.com')
    const listed = await runJson<{ sources: unknown[] }>(['source', 'list', '--site', 'example.com', '--data', data])
    expect(listed.sources).toMatchObject([{ source_type: 'cloudflare_zone', name: 'example.com', error_code: null }])
    const { secret } = await runJson<{ secret: string }>(['key', 'create', '--name', 'test', '--data', data])
    const polled = async () => {
      const { body } = await service.get('/v1/sites/example.com/sources', secret)
      return (body.sources as { connection_status: string; data_through: string | null }[])[0]
    }
    // The running service polls by itself, at once.
    while ((await polled())?.connection_status === 'pending') await pause(100)
    expect(await polled()).toMatchObject({ connection_status: 'live', data_through: expect.any(String) })
    const counted = await service.get('/v1/sites/example.com/performance?window=3d&purpose=training', secret)
    expect(counted.body).toMatchObject({ observed_request_count: 4 })
    const backup = join(data, '..', 'backup')
    expect(await run(['backup', backup, '--data', data])).toMatchObject({ code: 0 })
    expect(cloudflare.asked.some(({ authorization }) => authorization === `Bearer ${cloudflare.token}`)).toBe(true)
    const shown = [
      connected.stdout,
      connected.stderr,
      service.stdout(),
      service.stderr(),
      readFileSync(backup, 'latin1'),
    ]
    expect(shown.join('') + contents(data)).not.toContain(cloudflare.token)
  })

  test('from standard input, as one JSON document; a second time with another token under the same id', async () => {
    const { data } = await preparedFolder()
    await runJson(['site', 'add', 'example.com', '--data', data])
    const connect = ['source', 'connect', 'example.com', '--zone', 'example.com', '--token-file', '-', '--data', data]
    const connected = await runJson(connect, { env, input: `${cloudflare.token}\n` })
    expect(connected).toMatchObject({
      source_id: expect.any(String),
      root_domain: 'example.com',
      connection_status: 'pending',
      hostnames: { proxied: ['example.com'], unproxied: [] },
    })
    cloudflare.token = 'made-up-token-of-a-stand-in-000000000002'
    expect(await runJson(connect, { env, input: cloudflare.token })).toMatchObject({ source_id: connected.source_id })
  })

  test.each([
    ['a token that Cloudflare does not know', 'another-token-00000000000000000', /unknown to Cloudflare.*My Profile/],
    ['no token at all', '\n', /no token was given/],
    ['what is not a token', 'not a token\n', /not an API token of Cloudflare/],
  ])('%s is refused, and not repeated', async (_what, input, message) => {
    const { data } = await preparedFolder()
    await runJson(['site', 'add', 'example.com', '--data', data])
    const connect = ['source', 'connect', 'example.com', '--zone', '--token-file', '-', '--data', data]
    const ended = await run(connect, { env, input })
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) })
    if (input.trim() !== '') expect(ended.stderr).not.toContain(input.trim())
  })

  test('a token as an argument is bad usage, and no prompt appears without a terminal', async () => {
    const { data } = await preparedFolder()
    const connect = ['source', 'connect', 'example.com', '--zone', '--data', data]
    expect(await run([...connect, '--token', cloudflare.token], { env })).toMatchObject({ code: 2 })
    expect(await run(connect, { env })).toMatchObject({ code: 1, stderr: expect.stringMatching(/--token-file/) })
    const missing = await run([...connect, '--token-file', join(data, 'missing')], { env })
    expect(missing).toMatchObject({
      code: 1,
      stderr: `spoor: ${join(data, 'missing')} does not exist: check its name\n`,
    })
  })

  test('under a simulated clock no request is sent outside', async () => {
    const { data } = await preparedFolder()
    await serve(data, ['--clock', '2026-03-10T12:00:00Z'], { env })
    await runJson(['site', 'add', 'example.com', '--data', data])
    const connect = ['source', 'connect', 'example.com', '--zone', '--token-file', '-', '--data', data]
    expect(await run(connect, { env, input: cloudflare.token })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/--clock/),
    })
    expect(cloudflare.asked).toEqual([])
  })
})

import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { openLog } from '#log.ts'
import { preparedFolder, run, runJson, serve } from './support/cli.ts'

const FORWARDED = '203.0.113.77'
const TOKEN = 'metrics-token-of-the-test'

test('the log of a whole session holds no secret, no client address, no path, no site and no file name', async () => {
  const { data, file } = await preparedFolder()
  const env = { SPOOR_LOG_LEVEL: 'trace', SPOOR_METRICS_LISTEN: '127.0.0.1:0', SPOOR_METRICS_TOKEN: TOKEN }
  const server = await serve(data, ['--clock', '2026-03-08T12:00:00Z'], { env })
  await runJson(['site', 'add', 'example.com', '--data', data])
  const { secret } = await runJson<{ secret: string }>(['key', 'create', '--name', 'a-key-name', '--data', data])
  const log = history().on('2026-03-07').humans().crawler('googlebot').requests(2).text()
  const odd =
    '198.51.100.9 - - [07/Mar/2026:10:00:00 +0000] "GET /private/page?token=hush HTTP/1.1" 200 5 "-" "Googlebot/2.1"\n'
  writeFileSync(file('strange-name.log'), log + odd)
  writeFileSync(file('broken.log'), 'GET /private/page hush\n')
  await runJson(['import', file('strange-name.log'), '--site', 'example.com', '--data', data])
  expect((await run(['import', file('broken.log'), '--site', 'example.com', '--data', data])).code).toBe(1)
  const headers = { 'x-forwarded-for': FORWARDED, referer: 'https://example.com/private/page' }
  const asked: [string, string][] = [
    ['/v1/sites/example.com/performance?window=7d', secret],
    ['/v1/sites/example.com/performance?window=hush', secret],
    ['/v1/sites/other.example/performance', secret],
    ['/v1/sites', 'spoor_site_hush'],
    ['/private/page?token=hush', secret],
    ['/%ff/private/page', secret],
  ]
  for (const [path, bearer] of asked) {
    await (await fetch(server.url + path, { headers: { ...headers, authorization: `Bearer ${bearer}` } })).text()
  }
  const { port } = new URL(server.url)
  await new Promise((resolve) => {
    const raw = connect(Number(port), '127.0.0.1', () => raw.write('NONSENSE /private/page hush\r\n\r\n'))
    raw.on('close', resolve).resume()
  })
  const { stderr } = await server.stop()

  const lines = stderr.split('\n').filter((line) => line.startsWith('{'))
  expect(lines.length).toBeGreaterThan(asked.length)
  for (const line of lines) {
    expect(JSON.parse(line)).toMatchObject({
      level: expect.stringMatching(/^(trace|debug|info|warn|error)$/),
      time: expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/),
      service: 'spoor',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    })
  }
  const answered = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered')
  expect(answered.length).toBeGreaterThanOrEqual(5)
  for (const line of answered) expect(line.request_id).toMatch(/^[0-9a-f-]{36}$/)
  for (const hidden of [secret, secret.slice(0, 16), TOKEN, FORWARDED, '198.51.100.9', 'hush', 'private', '/v1/']) {
    expect(stderr).not.toContain(hidden)
  }
  for (const hidden of ['example.com', 'other.example', 'strange-name', 'a-key-name', 'Googlebot', 'remoteAddress']) {
    expect(stderr).not.toContain(hidden)
  }
})

test('even an engine’s error does not contain a value of a statement', () => {
  let said = ''
  const log = openLog(
    'info',
    new Writable({
      write(chunk, _encoding, done) {
        said += chunk
        done()
      },
    }),
  )
  const cause = new Error("Syntax error near 'www.example.com' in SET param_p0 = 'it\\'s /private/page'; SELECT 1")
  log.error(
    { err: new EvidenceError('bug', `The engine refused a statement: ${cause.message}`, cause) },
    'request failed',
  )
  expect(said).toContain('The engine refused a statement')
  expect(said).not.toMatch(/example|private/)
})

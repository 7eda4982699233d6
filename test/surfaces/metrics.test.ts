import { once } from 'node:events'
import { createServer } from 'node:net'
import { Readable, Writable } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '#clock.ts'
import { readConfig } from '#config.ts'
import { history } from '#demo/history.ts'
import { openLog } from '#log.ts'
import { openClient } from '../../cli/folder/client.ts'
import { type Service, startService } from '../../src/main.ts'
import { makeTestFolder, removeTestFolder } from '../support/control.ts'

const TOKEN = 'a-token-for-the-test'
const LOCAL = { SPOOR_METRICS_LISTEN: '127.0.0.1:0' }

let folder = ''
let service: Service
let log = ''
afterEach(async () => {
  await service.stop()
  removeTestFolder(folder)
})

async function open(environment: Record<string, string>) {
  folder = makeTestFolder()
  log = ''
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += chunk
      done()
    },
  })
  const config = { ...readConfig(environment), data: folder, port: 0 }
  const clock = systemClock(Date.parse('2026-03-08T12:00:00Z'))
  service = await startService({ config, clock, log: openLog('info', sink), wait_ms: 0 })
  return config
}

function logOf(content: string) {
  const stream = () => Readable.from([Buffer.from(content)])
  return { stream, chunks: stream }
}

const metrics = async () => (await fetch(service.metrics_url as string)).text()

/** The value of a sample, by its name and labels as they are written. */
function sample(page: string, name: string): number | null {
  const line = page.split('\n').find((text) => text.startsWith(`${name} `))
  return line === undefined ? null : Number(line.slice(name.length + 1))
}

describe('/metrics', () => {
  test('counts requests, imports, statements and jobs without naming a site, a host or a path', async () => {
    const config = await open(LOCAL)
    const client = await openClient(config)
    await client.run('site.add', { domain: 'example.com' })
    const { secret } = await client.run('key.create', { name: 'a', sites: [] })
    const text = history().on('2026-03-07').humans().crawler('googlebot').requests(3).text()
    const send = (content: string) =>
      client.importLog({ site: 'example.com', host: null, label: 'a' }, logOf(content), () => {})
    const receipt = await send(`${text}no log\n`)
    await expect(send('no log\n')).rejects.toThrow(/can be read/)
    const headers = { authorization: `Bearer ${secret}` }
    await (await fetch(`${service.url}/v1/sites/example.com/performance`, { headers })).text()
    await (await fetch(`${service.url}/v1/sites/example.com/performance`)).text()
    await (await fetch(`${service.url}/secret/path`)).text()

    const page = await metrics()
    const requests = 'spoor_http_request_duration_seconds_count'
    expect(sample(page, `${requests}{operation="getPerformance",status="200"}`)).toBe(1)
    expect(sample(page, `${requests}{operation="getPerformance",status="401"}`)).toBe(1)
    expect(sample(page, `${requests}{operation="none",status="404"}`)).toBe(1)
    expect(sample(page, 'spoor_import_duration_seconds_count{result="stored"}')).toBe(1)
    expect(sample(page, 'spoor_import_duration_seconds_count{result="refused"}')).toBe(1)
    expect(sample(page, 'spoor_imports_running')).toBe(0)
    expect(sample(page, 'spoor_inspections_waiting{state="due"}')).toBe(0)
    expect(sample(page, 'spoor_issues{state="open"}')).toBe(0)
    expect(sample(page, 'spoor_alert_deliveries{state="waiting"}')).toBe(0)
    expect(sample(page, 'spoor_alert_oldest_waiting_age_seconds')).toBe(0)
    expect(sample(page, 'spoor_alert_receivers{state="active"}')).toBe(0)
    expect(sample(page, 'spoor_import_bytes_total')).toBe(receipt.bytes)
    const classes = [...page.matchAll(/^spoor_import_lines_total\{class="(\w+)"\} (\d+)$/gm)]
    expect(Object.fromEntries(classes.map(([, of, count]) => [of, Number(count)]))).toEqual({
      stored: 3,
      duplicates: 0,
      human: receipt.human,
      malformed: 1,
      other_site: 0,
      ignored: 0,
    })
    expect(classes.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(receipt.lines)
    for (const kind of ['read', 'write', 'insert']) {
      expect(sample(page, `spoor_evidence_statement_duration_seconds_count{kind="${kind}"}`)).toBeGreaterThan(0)
    }
    for (const job of ['rebuild', 'clear_builds', 'erase_sites', 'note_key_uses']) {
      const at = sample(page, `spoor_job_last_success_timestamp_seconds{job="${job}"}`)
      expect(Math.abs(Number(at) - Date.now() / 1_000)).toBeLessThan(600)
    }
    for (const store of ['control', 'evidence']) expect(sample(page, `spoor_store_up{store="${store}"}`)).toBe(1)
    expect(sample(page, 'spoor_deliveries{state="broken"}')).toBe(0)
    expect(sample(page, 'spoor_rollups_dirty{state="writing"}')).toBe(0)
    expect(page).toMatch(/^spoor_registry_info\{version="[\d.-]+"\} 1$/m)
    expect(page).toMatch(/^spoor_build_info\{version="[\d.]+",node="[\d.]+"\} 1$/m)
    expect(sample(page, 'spoor_evidence_memory_bytes')).toBeGreaterThan(0)
    expect(sample(page, 'process_resident_memory_bytes')).toBeGreaterThan(0)
    expect(sample(page, 'nodejs_eventloop_lag_p99_seconds')).not.toBeNull()
    expect(page).not.toMatch(/example|googlebot|secret|127\.0\.0\.1/)
    await client.close()
  })

  test('shows the leased jobs over all processes: ages, failures, what runs', async () => {
    await open(LOCAL)
    let page = ''
    while (sample(page, 'spoor_leased_job_success_age_seconds{job="forget_links"}') === null) page = await metrics()
    expect(sample(page, 'spoor_leased_job_failures{job="forget_links"}')).toBe(0)
    expect(sample(page, 'spoor_leased_job_running{job="forget_links"}')).toBe(0)
  })

  test('is not on the public listener, and nothing else is on its own', async () => {
    await open(LOCAL)
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404)
    const { origin } = new URL(service.metrics_url as string)
    expect((await fetch(`${origin}/v1/sites`)).status).toBe(404)
    expect((await fetch(`${origin}/metrics`, { method: 'POST' })).status).toBe(405)
    const head = await fetch(`${origin}/metrics`, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/plain; version=/),
    ])
  })

  test('asks for its token where one is set', async () => {
    await open({ SPOOR_METRICS_LISTEN: '0.0.0.0:0', SPOOR_METRICS_TOKEN: TOKEN })
    const url = service.metrics_url as string
    expect((await fetch(url)).status).toBe(401)
    expect((await fetch(url, { headers: { authorization: `Bearer ${TOKEN}x` } })).status).toBe(401)
    expect((await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200)
    expect(log).not.toContain(TOKEN)
  })

  test('an address in use is a warning, and the service serves on', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    await open({ SPOOR_METRICS_LISTEN: `127.0.0.1:${port}` })
    other.close()
    expect(service.metrics_url).toBeNull()
    expect(log).toMatch(
      /"level":"warn".*"code":"EADDRINUSE".*"address":"127\.0\.0\.1:\d+".*"no metrics are served: .*SPOOR_METRICS_LISTEN"/,
    )
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  })
})

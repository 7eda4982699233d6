/** Uploads and senders that end: what they hold back, what names them, and how their owner retires them (rules 3). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '#clock.ts'
import { importLog } from '#intake/import/import-log.ts'
import type { Site } from '#sites/site.ts'
import { setPrimary } from '#sources/change-source.ts'
import { reconnectSource } from '#sources/disconnect-source.ts'
import { retireUpload } from '#sources/retire-upload.ts'
import { listSenders, retireSender } from '#sources/senders.ts'
import { addIntakeSource, listSources } from '#sources/sources.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { GPTBOT, PERSON } from '../support/intake.ts'
import { openTestService, type TestService } from '../support/service.ts'

const NOW = '2026-03-10T12:00:00Z'
const ADSBOT = 'Mozilla/5.0 (compatible; OAI-AdsBot/1.0; +https://openai.com/adsbot)'

let service: TestService
beforeAll(async () => {
  service = await openTestService(NOW)
})
afterAll(() => service.close())

let sites = 0
async function freshSite(): Promise<Site> {
  const site = await service.addSite(`site${++sites}.example`)
  if (sites === 1) await service.createKey()
  return site
}

const MONTHS = ['Jan', 'Feb', 'Mar']
const stamp = (at: number) => {
  const [date = '', time = ''] = new Date(at).toISOString().slice(0, 19).split('T')
  return `${date.slice(8)}/${MONTHS[Number(date.slice(5, 7)) - 1]}/${date.slice(0, 4)}:${time} +0000`
}
const line = (at: number, agent = PERSON, path = '/') =>
  `203.0.113.7 - - [${stamp(at)}] "GET ${path} HTTP/1.1" 200 5 "-" "${agent}"\n`

/** A log with a person every half hour from one instant up to before another, and one crawler's request in it. */
function log(from: string, to: string, path = '/crawled'): string {
  const [begin, end] = [Date.parse(from), Date.parse(to)]
  const lines = [line(begin), line(begin, GPTBOT, path)]
  for (let at = begin + DAY_MS / 48; at < end; at += DAY_MS / 48) lines.push(line(at))
  return `${lines.join('')}${line(end - 1_000)}`
}

async function* bytes(text: string) {
  yield Buffer.from(text)
}
const upload = (site: Site, text: string, server?: string) =>
  importLog(
    service.crawlers,
    { site, host: null, label: 'access.log', ...(server === undefined ? {} : { server }) },
    bytes(text),
  )

async function unnamedOf(site: Site) {
  return (await listSources(service.installation.operator, site.id)).find(({ name: server }) => server === '')
}

async function intakeOf(site: Site) {
  const { source, token } = await addIntakeSource(service.installation.operator, { site_id: site.id, name: 'web' })
  const send = async (records: readonly object[], sender?: string) => {
    const body = records.map((record) => `${JSON.stringify(record)}\n`).join('')
    const headers = sender === undefined ? {} : { 'x-spoor-sender': sender }
    const answer = await service.ask('/intake/logs', { key: token.secret, method: 'POST', body, headers })
    expect(answer.status).toBe(200)
  }
  return { source, token, send }
}
const heartbeat = (covered_from: string, covered_to: string) => ({ type: 'heartbeat', covered_from, covered_to })
const visit = (site: Site, timestamp: string) => ({
  timestamp,
  host: site.root_domain,
  path: '/',
  status: 200,
  user_agent: GPTBOT,
})

interface Read {
  meta: { data_through: string; coverage_state: string; gaps: unknown[]; sources: Record<string, unknown>[] }
  observed_request_count: number | null
}
async function performance(site: Site, window = '3d'): Promise<Read> {
  const answer = await service.ask(`/v1/sites/${site.id}/performance?window=${window}&purpose=search,training,unknown`)
  return answer.json as unknown as Read
}

describe('uploads beside other sources', () => {
  test('one old log never delays a live site, and its days still count', async () => {
    const site = await freshSite()
    await upload(site, log('2026-03-02T00:00:00Z', '2026-03-04T00:00:00Z'))
    const { send } = await intakeOf(site)
    await send([heartbeat('2026-03-04T00:00:00Z', '2026-03-10T11:59:00Z'), visit(site, '2026-03-10T11:59:30Z')])
    const { meta, observed_request_count } = await performance(site, '7d')
    expect(meta.data_through).toBe('2026-03-10T11:59:30.000Z')
    expect(meta.sources.map(({ source_type, is_primary }) => [source_type, is_primary]).sort()).toEqual([
      ['https_intake', true],
      ['log_upload', false],
    ])
    expect(observed_request_count).toBe(1)
    expect(await performance(site, '30d')).toMatchObject({ observed_request_count: 2 })
  })

  test('two partial sources do not trade places on the open day', async () => {
    const site = await freshSite()
    const { send } = await intakeOf(site)
    await send([visit(site, '2026-03-10T01:00:00Z')], 'a')
    const second = await addIntakeSource(service.installation.operator, { site_id: site.id, name: 'other' })
    const other = (from: string, to: string, paths: readonly string[] = []) =>
      service.ask('/intake/logs', {
        key: second.token.secret,
        method: 'POST',
        body: [heartbeat(from, to), ...paths.map((path) => ({ ...visit(site, to), path }))]
          .map((record) => `${JSON.stringify(record)}\n`)
          .join(''),
      })
    await other('2026-03-10T01:00:00Z', '2026-03-10T03:00:00Z', ['/1', '/2'])
    expect((await performance(site)).observed_request_count).toBe(2)
    await send([heartbeat('2026-03-10T01:00:00Z', '2026-03-10T02:30:00Z')], 'a')
    expect((await performance(site)).observed_request_count).toBe(2)
    await send([heartbeat('2026-03-10T02:30:00Z', '2026-03-10T04:01:00Z')], 'a')
    expect((await performance(site)).observed_request_count).toBe(1)
  })

  test('the source that counts the open day while the other is disabled keeps it when both are enabled again', async () => {
    const site = await freshSite()
    const { operator } = service.installation
    const first = await addIntakeSource(operator, { site_id: site.id, name: 'first' })
    const second = await addIntakeSource(operator, { site_id: site.id, name: 'second' })
    const deliver = async (
      { token }: { token: { secret: string } },
      from: string,
      to: string,
      paths: readonly string[],
    ) => {
      const records = [heartbeat(from, to), ...paths.map((path) => ({ ...visit(site, to), path }))]
      const body = records.map((record) => `${JSON.stringify(record)}\n`).join('')
      expect(await service.ask('/intake/logs', { key: token.secret, method: 'POST', body })).toMatchObject({
        status: 200,
      })
    }
    await deliver(first, '2026-03-10T01:00:00Z', '2026-03-10T03:00:00Z', ['/'])
    service.clock.advance(1_000)
    await deliver(second, '2026-03-10T01:00:00Z', '2026-03-10T03:00:00Z', ['/1', '/2'])
    expect((await performance(site)).observed_request_count).toBe(1)
    await setPrimary(operator, { source: first.source.id, is_primary: false })
    await deliver(second, '2026-03-10T03:00:00Z', '2026-03-10T03:10:00Z', [])
    await setPrimary(operator, { source: first.source.id, is_primary: true })
    expect((await performance(site)).observed_request_count).toBe(2)
    service.clock.advance(-1_000)
  })

  test('the receipt warns about unnamed logs beside named ones, and names the step that ends them', async () => {
    const site = await freshSite()
    await upload(site, log('2026-03-08T06:00:00Z', '2026-03-08T18:00:00Z'))
    const receipt = await upload(site, log('2026-03-08T00:00:00Z', '2026-03-10T12:00:00Z', '/web1'), 'web1')
    const unnamed = await unnamedOf(site)
    const id = unnamed?.id as string
    expect(receipt.warnings).toMatchObject([{ code: 'unnamed_beside_named' }])
    expect(receipt.warnings[0]?.next).toEqual({ step: 'end_unnamed_upload', source_id: id, server: 'web1' })
    expect((await performance(site)).meta.coverage_state).toBe('partial')
    expect((await performance(site)).observed_request_count).toBe(2)
    await expect(retireUpload(service.installation.operator, { source: id, into: 'web1' })).rejects.toMatchObject({
      kind: 'conflict',
    })
    await retireUpload(service.installation.operator, { source: id })
    const { meta, observed_request_count } = await performance(site)
    expect(meta.coverage_state).toBe('complete')
    expect(observed_request_count).toBe(1)
    const again = await upload(site, log('2026-03-08T00:00:00Z', '2026-03-10T12:00:00Z', '/web1'), 'web1')
    expect(again).toMatchObject({ stored: 0, warnings: [] })
  })

  test('days moved to a named server belong to it, and its lines are known under that name', async () => {
    const site = await freshSite()
    const early = log('2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z')
    await upload(site, early)
    await upload(site, log('2026-03-09T00:00:00Z', '2026-03-10T12:00:00Z', '/later'), 'web1')
    expect((await performance(site)).meta.coverage_state).toBe('partial')
    const unnamed = await unnamedOf(site)
    const { id = '' } = unnamed ?? {}
    await retireUpload(service.installation.operator, { source: id, into: 'web1' })
    const moved = await performance(site)
    expect(moved.meta.coverage_state).toBe('complete')
    expect(moved.observed_request_count).toBe(2)
    expect(await upload(site, early, 'web1')).toMatchObject({ stored: 0, duplicates: 1 })
    expect((await performance(site)).observed_request_count).toBe(2)
    await expect(upload(site, early)).rejects.toMatchObject({ kind: 'conflict' })
    await reconnectSource(service.installation.operator, id)
    expect(await upload(site, early)).toMatchObject({ stored: 0, duplicates: 1 })
  })

  test('a change of a source answers the same as the list of sources', async () => {
    const site = await freshSite()
    await upload(site, log('2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z'))
    await upload(site, log('2026-03-09T00:00:00Z', '2026-03-10T12:00:00Z', '/later'), 'web1')
    const { operator } = service.installation
    const { id: source = '' } = (await unnamedOf(site)) ?? {}
    const listed = async () => {
      const { sources } = await runOperation(operator, 'source.list', { site: site.id })
      return sources.find(({ id }) => id === source)
    }
    // The server has later evidence of its hosts, so that it is primary no more.
    const changed = await runOperation(operator, 'source.vantage', { source, vantage: 'origin' })
    expect(changed).toMatchObject({ is_primary: false, vantage: 'origin' })
    expect(await listed()).toMatchObject(changed)
    const retired = await runOperation(operator, 'source.retire', { source, into: 'web1' })
    expect(await listed()).toMatchObject(retired)
    const reconnected = await runOperation(operator, 'source.reconnect', { source })
    expect(await listed()).toMatchObject(reconnected)
  })

  test('days may be moved to a server that has no logs yet', async () => {
    const site = await freshSite()
    await upload(site, log('2026-03-08T00:00:00Z', '2026-03-10T12:00:00Z'))
    const unnamed = await unnamedOf(site)
    await retireUpload(service.installation.operator, { source: unnamed?.id as string, into: 'web1' })
    const { meta } = await performance(site)
    expect(meta.coverage_state).toBe('complete')
    expect(meta.data_through).toBe('2026-03-10T11:59:59.000Z')
  })

  test('a server that only had moved days is removed when they are taken back', async () => {
    const site = await freshSite()
    await upload(site, log('2026-03-08T00:00:00Z', '2026-03-10T12:00:00Z'))
    const before = await performance(site)
    expect(before.meta.coverage_state).toBe('complete')
    const { id = '' } = (await unnamedOf(site)) ?? {}
    await retireUpload(service.installation.operator, { source: id, into: 'web1' })
    await reconnectSource(service.installation.operator, id)
    expect(await performance(site)).toEqual(before)
    await upload(site, log('2026-03-08T00:00:00Z', '2026-03-10T12:00:00Z', '/web1'), 'web1')
    expect((await performance(site)).observed_request_count).toBe(2)
  })

  test('days that are moved again after they were taken back count with the server, and so do its logs', async () => {
    const site = await freshSite()
    await upload(site, log('2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z'))
    const { id: source = '' } = (await unnamedOf(site)) ?? {}
    await retireUpload(service.installation.operator, { source, into: 'web1' })
    await reconnectSource(service.installation.operator, source)
    await retireUpload(service.installation.operator, { source, into: 'web1' })
    await upload(site, log('2026-03-09T00:00:00Z', '2026-03-10T12:00:00Z', '/web1'), 'web1')
    const answer = await performance(site)
    expect(answer).toMatchObject({ observed_request_count: 2, meta: { coverage_state: 'complete' } })
    expect(answer.meta.data_through).toBe('2026-03-10T11:59:59.000Z')
  })

  test('days of an upload that was retired alone may be moved afterwards, and one step takes both back', async () => {
    const site = await freshSite()
    await upload(site, log('2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z'))
    const { id: source = '' } = (await unnamedOf(site)) ?? {}
    await retireUpload(service.installation.operator, { source })
    await retireUpload(service.installation.operator, { source, into: 'web1' })
    await upload(site, log('2026-03-09T00:00:00Z', '2026-03-10T12:00:00Z', '/web1'), 'web1')
    const answer = await performance(site)
    expect(answer).toMatchObject({ observed_request_count: 2, meta: { coverage_state: 'complete' } })
    expect(answer.meta.data_through).toBe('2026-03-10T11:59:59.000Z')
    const taken_back = await reconnectSource(service.installation.operator, source)
    expect(taken_back).toMatchObject({ connection_status: 'live', moved_to: null })
  })

  test.each([true, false])('moved days count exactly if their server does (%s)', async (is_primary) => {
    const site = await freshSite()
    await upload(site, log('2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z'))
    const { id: source = '' } = (await unnamedOf(site)) ?? {}
    await upload(site, log('2026-03-09T00:00:00Z', '2026-03-10T12:00:00Z', '/web1'), 'web1')
    const { operator } = service.installation
    const server = (await listSources(operator, site.id)).find(({ name }) => name === 'web1')
    await setPrimary(operator, { source: is_primary ? source : (server?.id as string), is_primary: false })
    await retireUpload(operator, { source, into: 'web1' })
    expect((await performance(site)).observed_request_count).toBe(is_primary ? 2 : null)
  })

  test('a server with its own logs has reported up to their end when moved days are taken back', async () => {
    const site = await freshSite()
    await upload(site, log('2026-03-09T00:00:00Z', '2026-03-10T12:00:00Z'))
    await upload(site, log('2026-03-08T00:00:00Z', '2026-03-09T00:00:00Z', '/web1'), 'web1')
    const { id = '' } = (await unnamedOf(site)) ?? {}
    const before = await performance(site)
    await retireUpload(service.installation.operator, { source: id, into: 'web1' })
    await reconnectSource(service.installation.operator, id)
    const { meta } = await performance(site)
    expect(Date.parse(meta.data_through as string)).toBeLessThanOrEqual(Date.parse('2026-03-09T00:01:00Z'))
    expect(meta.coverage_state).toBe(before.meta.coverage_state)
  })

  test('days move only to a server that can be imported into', async () => {
    const site = await freshSite()
    await upload(site, log('2026-03-08T00:00:00Z', '2026-03-10T12:00:00Z'))
    const { id = '' } = (await unnamedOf(site)) ?? {}
    for (const into of ['my server', '', 'wéb1', '-web1', 'x'.repeat(64)]) {
      await expect(retireUpload(service.installation.operator, { source: id, into })).rejects.toMatchObject({
        kind: 'invalid_input',
      })
    }
  })
})

describe('lines ahead of the clock', () => {
  test('are covered once the clock has passed them, and not before', async () => {
    const site = await freshSite()
    await upload(site, log('2026-03-08T00:00:00Z', '2026-03-10T20:00:00Z'))
    const { meta } = await performance(site)
    expect(meta.data_through).toBe('2026-03-10T12:00:00.000Z')
    expect(meta.coverage_state).toBe('complete')
    service.clock.advance(8 * 3_600_000)
    const later = await performance(site)
    expect(later.meta.data_through).toBe('2026-03-10T19:59:59.000Z')
    expect(later.meta.coverage_state).toBe('complete')
    service.clock.advance(-8 * 3_600_000)
  })
})

describe('coverage limitations', () => {
  test('leave out days that a later upload of the same time completed', async () => {
    const site = await freshSite()
    const text = log('2026-03-09T00:00:00Z', '2026-03-10T09:00:00Z')
    const limitations = async () => (await performance(site)).meta.sources[0]?.coverage_limitations
    await importLog(service.crawlers, { site, host: null, label: 'access.log', partial: true }, bytes(text))
    expect(await limitations()).toEqual(['declared_partial'])
    await upload(site, text)
    const { meta } = await performance(site)
    // Today lacks its last hours, which no log has covered.
    expect(meta.sources).toMatchObject([{ completeness: 'partial', coverage_limitations: [] }])
  })
})

describe('human and advertising lines in a receipt', () => {
  test('by_crawler counts what answers count, and human lines without an agent are distinguished', async () => {
    const site = await freshSite()
    const at = Date.parse('2026-03-09T10:00:00Z')
    const lines = [line(at), line(at, '-'), line(at, ''), line(at, GPTBOT), line(at, ADSBOT), line(at, 'NobodysBot/1')]
    const receipt = await upload(site, lines.join(''))
    expect(receipt).toMatchObject({
      lines: 6,
      human: 3,
      human_without_agent: 2,
      stored: 3,
      automated_unlabelled: 1,
      automated_not_counted: 1,
      by_crawler: { gptbot: 1 },
    })
  })
})

describe('senders', () => {
  test('a silent sender is named for its partial days, until it is retired or delivers again', async () => {
    const site = await freshSite()
    const { source, token, send } = await intakeOf(site)
    const context = service.installation.operator
    await send([visit(site, '2026-03-08T10:00:00Z')])
    await send([heartbeat('2026-03-07T00:00:00Z', '2026-03-10T11:59:00Z')], 'web1')
    const limitations = async () => (await performance(site)).meta.sources[0]?.coverage_limitations
    expect((await performance(site)).meta.coverage_state).toBe('partial')
    expect(await limitations()).toEqual([`sender_silent:${token.id}`])
    expect(await listSenders(context, source.id)).toMatchObject(
      [
        {
          name: token.id,
          token_name: 'web',
          silent_days: ['2026-03-08', '2026-03-09', '2026-03-10'],
          retired_at: null,
        },
        { name: 'web1', token_name: null, silent_days: [] },
      ].sort((a, b) => (a.name < b.name ? -1 : 1)),
    )
    await retireSender(context, { source: source.id, sender: token.id })
    const { meta, observed_request_count } = await performance(site)
    expect(meta.coverage_state).toBe('complete')
    expect(meta.data_through).toBe('2026-03-10T11:59:00.000Z')
    expect(await limitations()).toEqual([])
    expect(observed_request_count).toBe(1)
    await send([visit(site, '2026-03-09T10:00:00Z')])
    expect((await performance(site)).meta.coverage_state).toBe('partial')
    await expect(retireSender(context, { source: source.id, sender: 'nobody' })).rejects.toMatchObject({
      kind: 'not_found',
    })
  })
})

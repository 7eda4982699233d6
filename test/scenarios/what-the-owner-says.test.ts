import { Readable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { type History, history } from '#demo/history.ts'
import { importLog } from '#intake/import/import-log.ts'
import { coversRange, importQuery, importRequest, type LogNotes } from '#intake/import/import-options.ts'
import type { Site } from '#sites/site.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'

let service: TestService
let site: Site

const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
  await service.createKey()
})

const read = async () => (await service.ask('/v1/sites/example.com/performance?window=7d')).json
const importWith = (log: History | string, notes: Partial<LogNotes>) =>
  importLog(
    service.crawlers,
    { site, host: null, label: 'a.log', ...notes },
    Readable.from([Buffer.from(typeof log === 'string' ? log : log.text())]),
  )
const day = (name: string) => history().on(name).humans()

describe('what the owner says about a log (rules 3)', () => {
  test('--covers declares days without a line; they are not gaps, and their zero is a zero', async () => {
    await importWith(day('2026-03-04').crawler('oai-searchbot').requests(3), {
      covers: { from: '2026-03-04', to: '2026-03-08' },
    })
    expect(await read()).toMatchObject({
      observed_request_count: 3,
      meta: { gaps: [{ from: '2026-03-09', to: '2026-03-10' }], data_through: '2026-03-09T00:00:00.000Z' },
    })
    const { db } = service.installation.control
    expect(
      await db.selectFrom('coverage_intervals').select(['is_declared', 'quality']).orderBy('is_declared').execute(),
    ).toEqual([
      { is_declared: 0, quality: 'complete' },
      { is_declared: 1, quality: 'complete' },
    ])
  })

  test('--covers with days that are not over, or no range, is refused', async () => {
    await expect(importWith(day('2026-03-04'), { covers: { from: '2026-03-04', to: '2026-03-10' } })).rejects.toThrow(
      /not over/,
    )
    for (const range of [
      '2026-03-04',
      '2026-03-05/2026-03-04',
      '2026-02-30/2026-03-01',
      'a/b',
      '2026-03-01/2026-03-02/x',
    ]) {
      expect(() => coversRange(range)).toThrow(/give FROM\/TO/)
    }
  })

  test('--partial makes the time partial coverage', async () => {
    const whole = ['2026-03-04', '2026-03-05', '2026-03-06'].map((name) => day(name).text()).join('')
    await importWith(whole, { partial: true })
    const { db } = service.installation.control
    expect(await db.selectFrom('coverage_intervals').select(['quality', 'reason']).execute()).toEqual([
      { quality: 'partial', reason: 'declared_partial' },
    ])
  })

  test('logs of several servers are kept apart, add up, and a day is complete only when each covers it', async () => {
    const one = day('2026-03-04').crawler('oai-searchbot').requests(3)
    await importWith(one, { server: 'web1', covers: { from: '2026-03-04', to: '2026-03-05' } })
    expect(await importWith(one, { server: 'web2', covers: { from: '2026-03-04', to: '2026-03-04' } })).toMatchObject({
      stored: 3,
      duplicates: 0,
    })
    const performance = await read()
    expect(performance).toMatchObject({ observed_request_count: 6 })
    const { sources } = (await service.ask('/v1/sites/example.com/sources')).json as { sources: unknown[] }
    expect(sources).toHaveLength(2)
    expect(await importWith(one, { server: 'web1' })).toMatchObject({ stored: 0, duplicates: 3 })
    await expect(importWith(one, { server: 'web 1' })).rejects.toThrow(
      /^--server "web 1" is not a server's name: give 1 to 63/,
    )
  })

  test('an unknown --timezone is refused; a zone in the line takes precedence', async () => {
    await expect(importWith(day('2026-03-04'), { timezone: 'Middle/Earth' })).rejects.toThrow(/Middle\/Earth/)
    const receipt = await importWith(day('2026-03-04'), { timezone: '+05:00' })
    expect(receipt.from).toBe('2026-03-04T00:00:00.000Z')
  })

  test('times without a zone that end ahead of the clock are said to be those of another zone', async () => {
    const log = day('2026-03-10').crawler('oai-searchbot').requests(4)
    const { warnings } = await importWith(log.text().replaceAll(' +0000]', ']'), { timezone: '+06:00' })
    expect(warnings).toMatchObject([
      { code: 'local_times_ahead', message: expect.stringContaining('read as +06:00, and end 359 minutes ahead') },
    ])
    expect((await importWith(log, {})).warnings).toEqual([])
    const past = day('2026-03-09').crawler('oai-searchbot').requests(4).text().replaceAll(' +0000]', ']')
    expect((await importWith(past, {})).warnings).toEqual([])
  })

  test('the same lines with another --timezone change nothing, and the log covers no time (decisions 3.4, rules 4)', async () => {
    const log = day('2026-03-05').crawler('oai-searchbot').requests(4, { from: '23:30' })
    const text = log.text().replaceAll(' +0000]', ']')
    expect(await importWith(text, {})).toMatchObject({ stored: 4, duplicates: 0, warnings: [] })
    const before = await read()
    // Both neighbouring days, the same day, and the furthest that zones can lie apart.
    for (const timezone of ['America/St_Johns', 'Asia/Kathmandu', '+00:15', '-15:00', '+15:00']) {
      const again = await importWith(text, { timezone })
      expect(again, timezone).toMatchObject({ stored: 0, duplicates: 4 })
      expect(again.warnings).toMatchObject([{ code: 'other_timezone' }])
    }
    const again = await importWith(text, { timezone: 'UTC' })
    expect(again).toMatchObject({ stored: 0, duplicates: 4, warnings: [] })
    const after = await read()
    const timeless = (answer: Record<string, unknown>) => ({
      ...answer,
      meta: { ...(answer.meta as object), as_of: null },
    })
    expect(timeless(after)).toEqual(timeless(before))
  })

  test('new lines of a log that has others of another zone are stored, and count with their time', async () => {
    const crawled = (name: string) => day(name).crawler('oai-searchbot').requests(2, { from: '23:30' })
    const [first, second] = ['2026-03-05', '2026-03-07'].map((name) => crawled(name).text().replaceAll(' +0000]', ']'))
    await importWith(`${first}`, {})
    expect(await importWith(`${first}${second}`, { timezone: '+02:00' })).toMatchObject({ stored: 2, duplicates: 2 })
    expect(await read()).toMatchObject({
      observed_request_count: 4,
      meta: {
        gaps: [
          { from: '2026-03-04', to: '2026-03-04' },
          { from: '2026-03-08', to: '2026-03-10' },
        ],
      },
    })
  })

  test('a front and a back server in one log are a warning with their share', async () => {
    const front = day('2026-03-04').crawler('oai-searchbot').requests(30, { path: '/a' }).text()
    const back = front
      .split('\n')
      .filter((line) => line.includes('SearchBot'))
      .join('\n')
      .replaceAll('HTTP/1.1', 'HTTP/1.0')
    const receipt = await importWith(`${front}${back}\n`, {})
    expect(receipt.warnings).toMatchObject([{ code: 'double_log', message: expect.stringContaining('100 %') }])
    expect((await importWith(day('2026-03-05').crawler('gptbot').requests(50), {})).warnings).toEqual([])
  })

  test('the options are sent to a running server unchanged', () => {
    const asked = {
      site: 'example.com',
      host: 'www.example.com',
      label: 'a b&c.log',
      server: 'web1',
      timezone: '+02:00',
      partial: true,
      covers: { from: '2026-03-01', to: '2026-03-02' },
    }
    expect(importRequest(Object.fromEntries(importQuery(asked)))).toEqual(asked)
    const plain = { site: 'x', host: null, label: 'y' }
    expect(importRequest(Object.fromEntries(importQuery(plain)))).toEqual(plain)
  })
})

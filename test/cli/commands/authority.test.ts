import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { openPrepared, run, runJson, type Serving, serve, type Work } from '../../support/cli.ts'

let work: Work
let server: Serving
beforeAll(async () => {
  work = await openPrepared()
  server = await serve(work.data, ['--clock', '2026-03-08T12:00:00Z'], { outlives_test: true })
})
afterAll(async () => {
  await server.stop()
  work.remove()
})

describe('gates and authority on the command line (rules 7)', () => {
  test('through a running server: open, assign, list, close', async () => {
    const { data, file } = work
    await runJson(['site', 'add', 'example.com', '--data', data])
    writeFileSync(file('a.log'), history().on('2026-03-07').humans().crawler('googlebot').requests(2).text())
    await runJson(['import', file('a.log'), '--site', 'example.com', '--data', data])
    const gate = (...args: string[]) => run(['gate', ...args, '--data', data])
    expect((await gate('list', 'example.com')).stdout).toMatch(/crawler_authority_v2 +off/)
    const opened = await gate('set', 'example.com', 'crawler_authority_v2', 'on')
    expect(opened).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/is on\n.*\nexample\.com +2026-03-07 +log_upload/),
    })
    const { secret } = (await runJson(['key', 'create', '--name', 'reading', '--data', data])) as { secret: string }
    const meta = async () => {
      const { meta: reported } = (await server.get('/v1/sites/example.com/performance', secret)).body
      return reported
    }
    expect(await meta()).toMatchObject({ authority: { hosts: [{ hostname: 'example.com' }] } })

    const assign = ['authority', 'assign', 'example.com', 'www.example.com', 'log_upload']
    expect(await runJson([...assign, '--from', '2026-03-01', '--data', data])).toMatchObject({
      hostname: 'www.example.com',
      effective_day: '2026-03-01',
      provider: 'log_upload',
    })
    const listed = await run(['authority', 'list', 'example.com', '--data', data])
    expect(listed.stdout).toMatch(/example\.com +2026-03-07.*\n.*www\.example\.com +2026-03-01/)
    expect(await run([...assign, '--from', 'yesterday', '--data', data])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"yesterday" is not a day'),
    })
    expect(await run([...assign, '--data', data])).toMatchObject({ code: 2 })
    expect(await gate('set', 'example.com', 'crawler_authority_v2', 'maybe')).toMatchObject({ code: 2 })
    expect(await gate('set', 'example.com', 'crawler_authority_v2', 'off')).toMatchObject({ code: 0 })
    expect(await meta()).not.toHaveProperty('authority')
  })

  test('the eight analytics readers are on until they are switched off, and v2 of the overview is off', async () => {
    const { data } = work
    await runJson(['site', 'add', 'example.org', '--data', data])
    const list = async () => {
      const { gates } = (await runJson(['gate', 'list', 'example.org', '--data', data])) as {
        gates: { name: string; is_open: boolean }[]
      }
      return gates.map(({ name, is_open }) => `${name} ${is_open ? 'on' : 'off'}`)
    }
    const readers = ['overview', 'sources', 'pages', 'conversions', 'funnels', 'funnel', 'journeys', 'revenue']
    const others = ['crawler_authority_v2 off', 'analytics_overview_v2 off']
    expect(await list()).toEqual([...others, ...readers.map((reader) => `analytics_${reader}_reader on`)])
    const set = (gate: string, state: string) => run(['gate', 'set', 'example.org', gate, state, '--data', data])
    expect(await set('analytics_funnel_reader', 'off')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^analytics_funnel_reader of example\.org is off$/m),
    })
    expect(await list()).toContain('analytics_funnel_reader off')
    for (const gate of ['analytics_funnel_reader', 'analytics_overview_v2']) {
      expect(await set(gate, 'on')).toMatchObject({ code: 0 })
      expect(await list()).toContain(`${gate} on`)
    }
    expect(await set('analytics_reader', 'off')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/give one of .*analytics_revenue_reader/),
    })
  })
})

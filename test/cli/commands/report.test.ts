/** What a person reads and a spreadsheet gets right after an import. */
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { openPrepared, run, runJson, type Serving, serve, type Work } from '../../support/cli.ts'

let work: Work
let server: Serving
let report: (...args: string[]) => ReturnType<typeof run>
beforeAll(async () => {
  work = await openPrepared()
  server = await serve(work.data, ['--clock', '2026-03-10T12:00:00Z'], { outlives_test: true })
  const log = history().on('2026-03-07').humans().crawler('gptbot').requests(1_200, { path: '/pricing', from: '00:00' })
  log.requests(3, { path: '/pricing', status: 403, from: '10:00' })
  for (let page = 10; page < 30; page++) log.crawler('oai-searchbot').requests(1, { path: `/page-${page}` })
  log.on('2026-03-09').humans().crawler('gptbot').requests(2, { path: '/', status: null })
  log.agent('=HYPERLINK("x") bot').requests(2)
  writeFileSync(work.file('access.log'), log.text())
  await runJson(['site', 'add', 'example.com', '--data', work.data])
  await runJson(['import', 'example.com', work.file('access.log'), '--data', work.data])
  report = (...args) => run(['report', 'example.com', '--data', work.data, ...args])
})
afterAll(async () => {
  await server.stop()
  work.remove()
})

test('shows completeness, crawlers, outcomes, pages and unknown agents in 80 plain columns', async () => {
  const { code, stdout, stderr } = await report('--window', '7d')
  expect([code, stderr]).toEqual([0, ''])
  const lines = stdout.split('\n')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  expect(stdout).not.toContain('\u{1b}')
  expect(stdout).toMatch(/^Crawlers on example\.com\n/)
  expect(stdout).toMatch(/Completeness {2}partial: no evidence for \d of 7 days\. Unknown, not zero:/)
  expect(stdout).toMatch(/uploaded logs, live: evidence since 2026-\d\d-\d\d, (complete|partial)/)
  expect(stdout).toMatch(/Requests +1,225 of 2 crawlers, 22 pages/)
  expect(stdout).toMatch(/GPTBot +training +1,205 +98% +░*[▁-█░·]+/)
  expect(stdout).toMatch(/2xx +1,220 .* 200: 1,220/)
  expect(stdout).toMatch(/not observed +2/)
  expect(stdout).toMatch(/\/pricing +1,203/)
  expect(stdout).toMatch(/and 7 more: --json lists the first 50/)
  expect(stdout).toMatch(/1 agent with 2 requests, which no number above counts/)
  expect(stdout).toMatch(/No address list is loaded for GPTBot/)
})

test('says what the purpose filter leaves out', async () => {
  const { stdout } = await report('--window', '7d', '--purpose', 'search,assistant,unknown')
  expect(stdout).toMatch(/Requests +20 of 1 crawler, 20 pages/)
  expect(stdout).toMatch(/Left out +1,205 for training; --purpose all counts them/)
})

test('draws unobserved days as gaps, and covered days without requests not as gaps', async () => {
  const { stdout } = await report('--window', '7d', '--purpose', 'all')
  const charts = [...stdout.matchAll(/(?:training|search) .*% {2}(\S+)$/gm)].map(([, chart]) => chart)
  expect(charts).toEqual(['░░░█░▁░', '░░░█░·░'])
})

test('more days than blocks: a block is the mean of several days, and the heading says of how many', async () => {
  const { stdout } = await report('--window', '90d', '--purpose', 'all')
  expect(stdout).toMatch(/Mean a day, 3 days a block/)
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
})

test('one crawler: its days by month, and its pages with their statuses', async () => {
  const { code, stdout } = await report('--window', '7d', '--crawler', 'GPTBot')
  expect(code).toBe(0)
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  expect(stdout).toMatch(/^GPTBot \(OpenAI\) on example\.com\n/)
  expect(stdout).toMatch(/\/pricing +1,203 +100% +200: 1,200, 403: 3/)
  expect(stdout).toMatch(/\/ +2 +<1% +not observed: 2/)
  expect(stdout).toContain('The highest is 1,203 on')
})

test('a crawler without an entry and purposes that do not exist are refused', async () => {
  expect(await report('--crawler', 'nosuch')).toMatchObject({ code: 1, stderr: expect.stringContaining('"nosuch"') })
  expect(await report('--purpose', 'ads')).toMatchObject({ code: 2, stderr: expect.stringContaining('"ads"') })
  expect(await report('--window', '8d')).toMatchObject({ code: 2, stderr: expect.stringContaining('30d') })
  expect(await report('--crawler', 'gptbot', '--purpose', 'all')).toMatchObject({ code: 2 })
  expect(await report('--csv', '--json')).toMatchObject({ code: 2, stdout: '' })
})

test('--json holds the answers of the API', async () => {
  const { code, stdout } = await report('--window', '7d', '--purpose', 'all', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    performance: { observed_request_count: 1_225 },
    crawlers: { crawlers: [{ crawler_id: 'gptbot' }, { crawler_id: 'oai-searchbot' }] },
    top_pages: { total_count: 22 },
    unregistered_agents: { observed_request_count: 2 },
  })
})

describe('--csv', () => {
  test('is one flat table; a gap has no number, and text that a formula could be is quoted', async () => {
    const { stdout } = await report('--window', '7d', '--purpose', 'all', '--csv')
    const [header, ...rows] = stdout.trimEnd().split('\r\n')
    expect(header).toMatch(/^record,date,coverage,crawler_id,/)
    const columns = (header as string).split(',').length
    const gaps = rows.filter((row) => row.startsWith('gap_day,'))
    expect(gaps).toHaveLength(5)
    expect(gaps[0]).toBe(`gap_day,2026-03-04,unknown${','.repeat(columns - 3)}`)
    expect(rows).toContainEqual(expect.stringContaining(`crawler_day,2026-03-07,,gptbot`))
    expect(rows).toContainEqual(expect.stringContaining(`"'=HYPERLINK(""x"") bot"`))
  })

  test('reports beside the table what is left out of it', async () => {
    await runJson(['site', 'add', 'example.net', '--data', work.data])
    const log = history().on('2026-03-07').humans()
    for (let page = 100; page < 153; page++) log.crawler('gptbot').requests(1, { path: `/page-${page}` })
    writeFileSync(work.file('many.log'), log.text())
    await runJson(['import', 'example.net', work.file('many.log'), '--data', work.data])
    const { stdout, stderr } = await run(['report', 'example.net', '--csv', '--data', work.data])
    expect(stdout.match(/^page,/gm)).toHaveLength(50)
    expect(stderr).toBe('The table holds 50 of 53 pages, those with the most requests.\n')
    expect((await report('--csv')).stderr).toBe('')
    expect((await report('--csv', '--purpose', 'search')).stderr).toBe(
      'The table leaves out 1,205 requests for training: --purpose all counts them.\n',
    )
  })

  test('of one crawler has a row for each status of a page', async () => {
    const { stdout } = await report('--window', '7d', '--crawler', 'gptbot', '--csv')
    expect(stdout).toMatch(/^page,.*,\/pricing,,200,.*,1200,+\r$/m)
    expect(stdout).toMatch(/^page,.*,\/pricing,,403,.*,3,+\r$/m)
    expect(stdout).toMatch(/^page,.*,\/,response_unobserved,,.*,2,+\r$/m)
  })
})

test('--events shows what visitors did, and says when nothing can have been measured', async () => {
  const { code, stdout } = await report('--window', '7d', '--events')
  expect(code).toBe(0)
  expect(stdout).toMatch(/Events of visitors\nEvents {8}unknown: the tracker is not installed/)
  expect(await report('--events', '--crawler', 'gptbot')).toMatchObject({ code: 2, stdout: '' })
})

test('a site without evidence says what to do', async () => {
  await runJson(['site', 'add', 'example.org', '--data', work.data])
  const { stdout } = await run(['report', 'example.org', '--data', work.data])
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'no source yet. Import a log: npx spoor import example.org access.log',
  )
  expect(stdout).toMatch(/Requests +unknown\n/)
})

/** A new user in real Chromium, by clicks alone: one-time link, password, first site, a log, first number. */
import { existsSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '#clock.ts'
import { utcDay } from '#days/utc-day.ts'
import { history } from '#demo/history.ts'
import { openBrowser } from '../../support/browser.ts'
import { serve, workFolder } from '../../support/cli.ts'
import { describeInBrowser } from '../../support/describe-in-browser.ts'

/** As long as a first number may take a person; the clicks themselves take seconds. */
const TWO_MINUTES_MS = 120_000
const PASSWORD = 'four words are enough'

describeInBrowser('first run', () => {
  test('from the link that the service prints to the first number from a log', async () => {
    expect(existsSync('dashboard/dist/index.html'), 'npm ci builds the dashboard').toBe(true)
    const { data, file } = workFolder()
    const server = await serve(data)
    const [link] = await server.says(/http:\S+\/welcome#\S+/)
    const log = file('access.log')
    const yesterday = utcDay(Date.now() - DAY_MS)
    const crawlers = history().on(yesterday).crawler('chatgpt-user').requests(40)
    writeFileSync(log, `${crawlers.humans().text()}nothing that a server logs\n`)

    const browser = await openBrowser({ port: Number(new URL(server.url).port) })
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    const broken: string[] = []
    page.on('pageerror', (error) => broken.push(error.message))
    page.on('console', (message) => message.type() === 'error' && broken.push(message.text()))
    const origin = new URL(server.url).origin
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url())) broken.push(request.url())
    })

    const started = performance.now()
    await page.goto(link)
    await page.getByLabel('E-mail').fill('new@example.org')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Choose this password' }).click()
    await page.getByLabel('Domain').fill('https://www.example.com/')
    await page.getByRole('button', { name: 'Add the site' }).click()
    await page.getByText('Every number of this site is unknown, not zero.').waitFor()
    await page.locator('input[type=file]').setInputFiles(log)
    const receipt = page.getByText(/^Imported [\d,]+ lines: .* 1 not readable\.$/)
    await receipt.waitFor()
    await page.getByRole('button', { name: 'Open the overview' }).click()
    const figures = page.getByRole('region', { name: 'Figures' })
    await figures.getByText('40', { exact: true }).waitFor()
    expect(performance.now() - started).toBeLessThan(TWO_MINUTES_MS)

    const shown = new URL(page.url()).pathname.split('/')[2]
    const answer = await page.evaluate(async (site) => {
      const response = await fetch(`/dashboard-api/getPerformance?site=${site}`)
      return (await response.json()) as { observed_request_count: number }
    }, shown)
    expect(answer.observed_request_count).toBe(40)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Crawler overview')
    expect(broken).toEqual([])
  })
})

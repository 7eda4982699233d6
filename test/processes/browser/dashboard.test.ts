/** The dashboard in real Chromium, against the real service: what a rendering to text cannot show. */
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Crawlers, Performance, TopPages } from '#contract/site-api/index.ts'
import { DEFAULT_PURPOSES, PURPOSES, WINDOWS } from '#contract/vocabulary.ts'
import { history } from '#demo/history.ts'
import type { Site } from '#sites/site.ts'
import { addPerson } from '../../operations/people.ts'
import { openBrowser } from '../../support/browser.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'
import { describeInBrowser } from '../../support/describe-in-browser.ts'
import { type Browser as Asking, signInAs } from '../../support/person.ts'
import { openTestService, type TestService } from '../../support/service.ts'

const WIDTHS = [1440, 768, 390, 320]

describeInBrowser('the dashboard', () => {
  const folder = makeTestFolder()
  let service: TestService
  let browser: Browser
  let context: BrowserContext
  let owner: Asking
  let site: Site
  let origin: string
  const seen = { foreign: [] as string[], refused: [] as string[], failed: [] as string[] }

  beforeAll(async () => {
    await build({
      configFile: new URL('../../../dashboard/vite.config.ts', import.meta.url).pathname,
      logLevel: 'error',
      build: { outDir: folder, emptyOutDir: true },
    })
    service = await openTestService('2026-03-10T12:00:00Z', undefined, {
      dashboard_folder: new URL(`file://${folder}/`),
    })
    site = await service.addSite('example.com')
    await service.importText(
      site,
      history()
        .on('2026-03-07')
        .humans()
        .crawler('gptbot')
        .requests(3, { path: '/pricing' })
        .requests(2, { path: '/a-path-of-many-letters/'.repeat(12), status: 403, from: '13:00' })
        .crawler('oai-searchbot')
        .requests(4, { path: '/robots.txt' })
        .on('2026-03-09')
        .humans()
        .crawler('chatgpt-user')
        .requests(1, { path: '/pricing', status: null, from: '14:00' }),
    )
    await service.rebuild()
    owner = await signInAs(service, service.installation.operator)
    const port = await service.listen()
    origin = `http://localhost:${port}`
    browser = await openBrowser({ port })
    context = await contextOf(owner)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
    removeTestFolder(folder)
  })

  async function contextOf(person: Asking): Promise<BrowserContext> {
    const made = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const [name = '', value = ''] = (person.cookie ?? '').split('=')
    await made.addCookies([{ name, value, url: origin }])
    return made
  }

  /** Opens an address and waits until nothing is read any more. */
  async function open(address: string, at: BrowserContext = context): Promise<Page> {
    const page = await at.newPage()
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(origin) && !/^(?:blob|data):/.test(url)) seen.foreign.push(url)
    })
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) seen.refused.push(message.text())
    })
    page.on('pageerror', (error) => seen.failed.push(`${address}: ${error.message}`))
    await page.goto(`${origin}${address}`, { waitUntil: 'networkidle' })
    await page.locator('h1').first().waitFor()
    return page
  }

  const pages = () => [
    `/sites/${site.id}/performance`,
    `/sites/${site.id}/performance?group=identity&day=2026-03-07`,
    `/sites/${site.id}/performance?view=table`,
    `/sites/${site.id}/crawlers`,
    `/sites/${site.id}/crawlers/gptbot`,
    `/sites/${site.id}/top-pages?group=content`,
    `/sites/${site.id}/top-pages/one?host=example.com&path=/pricing`,
    `/sites/${site.id}/issues`,
    `/sites/${site.id}/access-checks`,
  ]

  test('no page has a serious finding of axe in either theme, or is wider than the window at any of four widths', async () => {
    for (const address of pages()) {
      const page = await open(address)
      await page.evaluate(axe.source)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        expect([address, colorScheme, await seriousFindings(page)]).toEqual([address, colorScheme, []])
      }
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        expect([address, width, Math.max(0, over)]).toEqual([address, width, 0])
      }
      await page.close()
    }
  })

  test('the totals on the overview are those of the API, for each window and purpose', async () => {
    const page = await open(`/sites/${site.id}/performance`)
    const figure = (label: string) =>
      page
        .locator('dl > div', { hasText: label })
        .first()
        .locator('dd > span:not(.skeleton):not(.block)')
        .first()
        .innerText()
    const ask = async <T>(operation: string, query: string) => {
      const answer = await context.request.get(`${origin}/dashboard-api/${operation}?site=${site.id}&${query}`)
      expect([operation, answer.status()]).toEqual([operation, 200])
      return (await answer.json()) as T
    }
    const worded = (count: number | null) => (count === null ? 'unknown' : String(count))
    for (const window of WINDOWS) {
      for (const purposes of [DEFAULT_PURPOSES, PURPOSES, ['training']]) {
        const query = `window=${window}&purpose=${purposes.join(',')}`
        const { observed_request_count } = await ask<Performance>('getPerformance', query)
        const { crawlers } = await ask<Crawlers>('getCrawlers', query)
        const { total_count } = await ask<TopPages>('getTopPages', query)
        await page.goto(`${origin}/sites/${site.id}/performance?${query}`)
        const shown = [await figure('Observed requests'), await figure('Crawlers'), await figure('Pages')]
        expect([query, ...shown]).toEqual([
          query,
          ...[worded(observed_request_count), worded(crawlers.length), worded(total_count)],
        ])
      }
    }
    await page.close()
  })

  describe('the address', () => {
    test('holds the filter through a choice, going back and a reload', async () => {
      const page = await open(`/sites/${site.id}/performance`)
      await page.getByRole('link', { name: '7d', exact: true }).click()
      await page.waitForURL(/window=7d/)
      await page.getByRole('button', { name: /^Training/ }).click()
      await page.waitForURL(/purpose=/)
      const address = page.url()
      await page.reload({ waitUntil: 'networkidle' })
      expect(page.url()).toBe(address)
      expect(await page.getByRole('button', { name: /^Training/ }).getAttribute('aria-pressed')).toBe('true')
      await page.goBack()
      await page.waitForURL((url) => !url.search.includes('purpose'))
      expect(page.url()).toContain('window=7d')
      await page.close()
    })

    test('of a site that a stranger is not a member of is answered as one that does not exist', async () => {
      const stranger = await signInAs(service, await addPerson(service))
      const at = await contextOf(stranger)
      const page = await open(`/sites/${site.id}/performance`, at)
      expect(await page.getByText('There is no such site, or you are not a member of it.').count()).toBe(1)
      await at.close()
    })
  })

  test('keys find a page, go to it, and do nothing once they are off', async () => {
    const page = await open(`/sites/${site.id}/performance`)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find' }).fill('issues')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/issues/)
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.waitForURL(/\/crawlers/)
    await page.keyboard.press('?')
    await page.getByLabel('Single keys do something').uncheck()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    expect(page.url()).toContain('/crawlers')
    await page.close()
  })

  test('nothing was asked of another origin, refused by the policy, or failed', () => {
    expect(seen).toEqual({ foreign: [], refused: [], failed: [] })
  })
})

interface Finding {
  id: string
  impact: string
  nodes: { target: string[]; failureSummary: string }[]
}

/** What axe calls serious or worse; its script is loaded. */
const seriousFindings = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const { axe: loaded } = globalThis as unknown as { axe: { run(): Promise<{ violations: Finding[] }> } }
    const { violations } = await loaded.run()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`))
  })

/** What pages show in real Chromium, against the real service: their totals, and the state that their address holds. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createAccountToken } from '#accounts/account-tokens.ts'
import { DEFAULT_PURPOSES, PURPOSES, SHORT_WINDOWS, WINDOWS } from '#contract/vocabulary.ts'
import { describeInBrowser } from '../../../support/describe-in-browser.ts'
import { signInAs } from '../../../support/person.ts'
import { follow, settled } from './open.ts'
import { COMPARED_PAGES, readTotals, type Totals } from './totals.ts'
import { testFaults, useDashboard } from './use-dashboard.ts'

describeInBrowser('what a page of the dashboard shows', () => {
  const used = useDashboard()
  const { dashboard, subjects, at } = used

  test('every total is that of the API, for each window, purpose and range of days', async () => {
    const { service, ask } = dashboard
    const { operator } = service.installation
    const key = (await service.createKey()).secret
    const token = (await createAccountToken(operator, { ...operator, name: 'totals', scope: 'read' })).secret
    const answerOf = async (path: string) => {
      if (path.startsWith('/dashboard-api/')) {
        const [operation = '', query] = path.slice('/dashboard-api/'.length).split('?')
        return ask(operation, { site: subjects.site as string, ...Object.fromEntries(new URLSearchParams(query)) })
      }
      const { status, json, text } = await service.ask(path, { key: path.startsWith('/api/') ? token : key })
      if (status !== 200) throw new Error(`${path} was answered with ${status}: ${text}`)
      return json
    }
    const page = await dashboard.open('/')
    const wrong: unknown[] = []
    for (const [path, compared] of Map.groupBy(COMPARED_PAGES, ({ page: path }) => path)) {
      const [{ filter, query = '' }] = compared as [(typeof COMPARED_PAGES)[number]]
      for (const filtered of FILTERS[filter]) {
        const search = [filtered, at(query)].filter((part) => part !== '').join('&')
        const expected: Totals = {}
        for (const { api, totals } of compared) {
          Object.assign(expected, totals((await answerOf(`${at(api)}?${search}`)) as never))
        }
        const address = `${at(path)}?${search}`
        await page.evaluate((to) => history.pushState(null, '', to), address)
        const shown = async () => {
          await settled(page)
          const all = await readTotals(page)
          // A list without rows is a sentence in place of a table.
          return Object.fromEntries(
            Object.entries(expected).map(([name, value]) => [
              name,
              all[name] ?? (Array.isArray(value) ? [] : 'not shown'),
            ]),
          )
        }
        await expect
          .poll(shown, { timeout: 10_000, interval: 50 })
          .toEqual(expected)
          .catch(async () => wrong.push([address, { expected, shown: await shown() }]))
      }
    }
    await page.close()
    expect(wrong).toEqual([])
  })

  describe('the address', () => {
    const STATES = [
      '/sites/$site/performance?window=7d&purpose=training,unknown&group=identity&view=table',
      '/sites/$site/crawlers?window=90d&sort=name&q=bot',
      '/sites/$site/top-pages?group=content&window=7d&sort=-crawlers',
      '/sites/$site/pages?window=7d&sort=-entries',
      '/sites/$site/funnels/$funnel?window=7d',
      '/brands/$brand/report?engines=chatgpt,claude&from=2026-03-01&to=2026-03-10',
      '/brands/$brand/urls?dimension=domain',
      '/sites/$site/issues?group=ended',
    ]

    test('has everything that a page shows: through a reload, back and forward', async () => {
      const page = await dashboard.open(at('/sites/$site/sources'))
      for (const state of STATES) {
        const address = at(state)
        await follow(page, address)
        const shown = await stateOf(page)
        await page.reload()
        await settled(page)
        expect([address, await stateOf(page)]).toEqual([address, shown])
        await page.goBack()
        await page.waitForURL((url) => decodeURIComponent(`${url.pathname}${url.search}`) !== address)
        await page.goForward()
        await page.waitForURL((url) => decodeURIComponent(`${url.pathname}${url.search}`) === address)
        await settled(page)
        await expect.poll(() => stateOf(page), { timeout: 10_000 }).toEqual(shown)
      }
      await page.close()
    })

    test('is changed by a choice, and going back undoes it', async () => {
      const page = await dashboard.open(at('/sites/$site/performance'))
      await page.getByRole('link', { name: '7d', exact: true }).click()
      await page.waitForURL(/window=7d/)
      await page.getByRole('button', { name: /^Training/ }).click()
      await page.waitForURL(/purpose=/)
      await page.goBack()
      await page.waitForURL((url) => !url.search.includes('purpose'))
      expect(page.url()).toContain('window=7d')
      await page.close()
    })

    test('with a value that is not allowed says so, and what is allowed', async () => {
      const at_refused = await dashboard.contextOf(
        await signInAs(dashboard.service, dashboard.service.installation.operator),
      )
      const page = await dashboard.open(at('/sites/$site/funnels?window=365d'), at_refused)
      expect(await page.getByText('Funnels cover 3, 7 or 30 days.').count()).toBe(1)
      await page.goto(`${dashboard.origin}${at('/sites/$site/performance?day=2025-01-01')}`)
      await page.getByText('day is "2025-01-01"; allowed is a day of the window').waitFor()
      await page.getByRole('link', { name: 'Use the defaults' }).click()
      await page.waitForURL(/performance$/)
      await settled(page)
      await at_refused.close()
    })
  })

  testFaults(used)
})

const windows = (all: readonly string[]) => all.map((window) => `window=${window}`)
const FILTERS = {
  none: [''],
  windows: windows(WINDOWS),
  short_windows: windows(SHORT_WINDOWS),
  purposes: windows(WINDOWS).flatMap((window) =>
    [DEFAULT_PURPOSES, PURPOSES, ['training']].map((purposes) => `${window}&purpose=${purposes.join(',')}`),
  ),
  days: ['', 'from=2026-03-06&to=2026-03-10', 'from=2026-02-01&to=2026-02-10'],
} as const

/** What a page shows of its state: totals, and everything that is chosen, without the counts that may come later. */
const stateOf = async (page: Page) => ({
  totals: await readTotals(page),
  chosen: await page
    .locator('main :is([aria-current], [aria-pressed=true], [aria-sort], input[type=search])')
    .evaluateAll((all) =>
      all.map((one) => (one instanceof HTMLInputElement ? one.value : one.textContent?.replace(/[\d,]+$/, ''))),
    ),
})

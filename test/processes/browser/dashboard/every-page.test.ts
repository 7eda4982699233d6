/** Every page of the dashboard in real Chromium: findings of axe, and layouts that do not fit their width. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeInBrowser } from '../../../support/describe-in-browser.ts'
import { addressesOf } from './addresses.ts'
import { follow } from './open.ts'
import { testFaults, useDashboard } from './use-dashboard.ts'

const WIDTHS = [1440, 1100, 768, 390, 320]

describeInBrowser('every page of the dashboard', () => {
  const used = useDashboard()
  const { dashboard, subjects } = used

  test('no page has a serious finding of axe in either theme, or is too wide or too narrow for its content at any of five widths', async () => {
    const found: string[] = []
    const page = await dashboard.open('/')
    await page.evaluate(axe.source)
    for (const address of addressesOf(subjects)) {
      await follow(page, address)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const words of await seriousFindings(page, colorScheme)) found.push(`${address} ${colorScheme}: ${words}`)
      }
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        const over = await overflowOf(page)
        if (over > 0) found.push(`${address} is ${over} px wider than ${width} px`)
        for (const words of await crowdedOf(page)) found.push(`${address} at ${width} px: no room for ${words}`)
      }
      await page.setViewportSize({ width: 1440, height: 900 })
    }
    await page.close()
    expect(found).toEqual([])
  })

  test('a site with a long domain fits into a narrow window', async () => {
    const { id } = await dashboard.service.addSite('a-very-long-name-of-a-company-that-sells-everything.example')
    const page = await dashboard.open('/')
    await page.setViewportSize({ width: 320, height: 568 })
    const wide: unknown[] = []
    for (const path of ['performance', 'sources', 'settings/members', 'settings/keys', 'settings/data']) {
      await follow(page, `/sites/${id}/${path}`)
      const over = await overflowOf(page)
      if (over > 0) wide.push([path, over])
    }
    await page.close()
    expect(wide).toEqual([])
  })

  testFaults(used)
})

interface Finding {
  id: string
  impact: string
  nodes: { target: string[]; failureSummary: string }[]
}

/** What axe calls serious or worse; its script is loaded. Only colours differ between the themes. */
const seriousFindings = (page: Page, theme: 'light' | 'dark'): Promise<string[]> =>
  page.evaluate(
    async (runOnly) => {
      const { axe: loaded } = globalThis as unknown as {
        axe: { run(options: object): Promise<{ violations: Finding[] }> }
      }
      const options = runOnly === null ? {} : { runOnly }
      const { violations } = await loaded.run({ ...options, resultTypes: ['violations'] })
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`))
    },
    theme === 'light' ? null : ['color-contrast', 'link-in-text-block'],
  )

/** Numbers of figures that reach out of their cell, and names of rows that are broken into a few letters each. */
const crowdedOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const rectOf = (element: Element) => element.getBoundingClientRect()
    const numbers = [...document.querySelectorAll('dl.panel > div > dd > span:first-child')].filter(
      (number) => rectOf(number).right > rectOf(number.closest('div') as Element).right + 1,
    )
    const names = [...document.querySelectorAll('td:first-child')].filter(
      (name) => (name.textContent ?? '').length > 12 && rectOf(name).width < 90,
    )
    return [...numbers, ...names].map(({ textContent }) => textContent ?? '')
  })

/** Pixels by which the page can be scrolled to the side, once it has been laid out anew. */
const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await frame()
    await frame()
    return document.documentElement.scrollWidth - innerWidth
  })

/** One browser and one web for the tests of a file, and a new visitor for each test. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { openBrowser } from '../../support/browser.ts'
import { openWeb, type SentEvent, snippet, type WebDouble } from './web-double.ts'

export interface Visit {
  web: WebDouble
  browser: Browser
  visitor: BrowserContext
  page: Page
  /** Serves pages of `shop.example` with the snippet, each with a link to all others. */
  shop(paths: string[], options?: string): void
  go(path: string): Promise<void>
  /** Waits until the collector took exactly these, in order; written as `pageview /path` or `event /path name`. */
  taken(...expected: string[]): Promise<void>
  /**
   * Leaves the page as a person does who closes the tab, which sends all that waits; then another visitor's pageview is
   * awaited. What the first one's page did not send by then, it never will.
   */
  leave(): Promise<void>
}

const WITNESS = 'spoor_pub_witness'

export const reported = (events: SentEvent[]) =>
  events
    .filter(({ site }) => site !== WITNESS)
    .map(({ type, url, name }) => [type, new URL(url).pathname, name].filter((part) => part !== undefined).join(' '))

/**
 * To be called in a `describeInBrowser`; what it gives is filled before each test. A page whose scripts throw fails its
 * test.
 */
export function useVisits(options: { back_forward_cache?: boolean } = {}): Visit {
  const visit = { shop, go, taken, leave } as Visit
  let complaints: string[]

  function shop(paths: string[], attributes = '') {
    const links = paths.map((path) => `<a href="${path}">${path}</a>`).join(' ')
    for (const path of paths)
      visit.web.page(`shop.example${path}`, `${snippet('spoor_pub_a', attributes)}<body>${links}`)
  }
  async function go(path: string) {
    await visit.page.goto(`http://shop.example${path}`)
  }
  async function taken(...expected: string[]) {
    await vi.waitFor(() => expect(reported(visit.web.events())).toEqual(expected), { timeout: 60_000, interval: 50 })
  }
  async function leave() {
    const closed = visit.page.waitForEvent('close')
    await visit.page.close({ runBeforeUnload: true })
    await closed
    visit.web.page('witness.example/', snippet(WITNESS))
    const witness = await visit.visitor.newPage()
    await witness.goto('http://witness.example/')
    await vi.waitFor(() => expect(visit.web.events(WITNESS)).toHaveLength(1), { timeout: 60_000, interval: 50 })
  }

  beforeAll(async () => {
    visit.web = await openWeb()
    visit.browser = await openBrowser({ ...options, port: visit.web.port })
  })
  afterAll(async () => {
    await visit.browser?.close()
    await visit.web?.close()
  })
  beforeEach(async () => {
    visit.web.deliveries.length = 0
    visit.web.fates.length = 0
    visit.visitor = await visit.browser.newContext()
    complaints = []
    visit.visitor.on('weberror', (error) => complaints.push(error.error().message))
    visit.page = await visit.visitor.newPage()
  })
  afterEach(async () => {
    await visit.visitor.close()
    expect(complaints).toEqual([])
  })
  return visit
}

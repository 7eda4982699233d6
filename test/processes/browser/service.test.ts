/** The script in real Chromium against the real collector. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { addDevelopmentOrigin } from '#tracker/development/origins.ts'
import { openBrowser } from '../../support/browser.ts'
import { BROWSER, type Collecting, openCollecting, type Stored } from '../../support/collect.ts'
import { describeInBrowser } from '../../support/describe-in-browser.ts'
import { atOnce, openWeb, snippet, type WebDouble } from './web-double.ts'

describeInBrowser('the script and the collector', () => {
  let collecting: Collecting
  let web: WebDouble
  let service: number
  const browsers: Browser[] = []

  beforeAll(async () => {
    web = await openWeb()
  })
  afterAll(() => web?.close())
  beforeEach(async () => {
    collecting = await openCollecting('2026-11-21T10:00:00Z')
    service = await collecting.service.listen()
    const page = (options = '') => snippet(collecting.public_key, options)
    web.page(
      'www.example.com/',
      `${page('data-outbound')}<a href="/shoes">shoes</a> <a id="out" href="http://chat.example/">out</a>`,
    )
    web.page('www.example.com/shoes', `${page()}<a href="/">home</a>`)
    web.page('other.example/', page())
    web.page(
      'chat.example/',
      '<a href="http://www.example.com/?utm_source=chat.example&gclid=g&email=ann@mail.example">shop</a>',
    )
  })
  afterEach(async () => {
    for (const browser of browsers.splice(0)) await browser.close()
    await collecting?.close()
  })

  /** A human, unless given another user agent; null is the browser's own, which identifies it as headless. */
  async function visitor(user_agent: string | null = BROWSER): Promise<Page> {
    const hosts = { 'stats.example': service }
    const browser = await openBrowser({ port: web.port, hosts, ...(user_agent === null ? {} : { user_agent }) })
    browsers.push(browser)
    return (await browser.newContext()).newPage()
  }
  const reported = ({ stream, kind, name, hostname, path, referrer_host }: Stored) =>
    [stream, kind, name, hostname + path, referrer_host].filter((part) => part !== '').join(' ')
  const stored = (...expected: string[]) =>
    vi.waitFor(async () => expect((await collecting.stored()).map(reported)).toEqual(expected), {
      timeout: 60_000,
      interval: 100,
    })

  test('a visit is stored as it happened', async () => {
    const page = await visitor()
    await page.goto('http://chat.example/')
    await page.click('a')
    await stored('browser pageview www.example.com/ chat.example')
    await page.click('text=shoes')
    await page.waitForURL('**/shoes')
    await page.evaluate(`spoor('basket'); spoor('revenue', { amount_minor: 4999, currency: 'EUR', order_id: 'A-1' })`)
    await page.evaluate(`history.pushState({}, '', '/thanks')`)
    await stored(
      'browser pageview www.example.com/ chat.example',
      'browser pageview www.example.com/shoes :own',
      'browser event basket www.example.com/shoes',
      'browser revenue revenue www.example.com/shoes',
      'browser pageview www.example.com/thanks :own',
    )
    const events = await collecting.stored()
    expect(events[0]).toMatchObject({ has_click_id: true, utm: 'chat.example||||' })
    expect(events[3]).toMatchObject({ amount_minor: 4999, currency: 'EUR', revenue_kind: 'sale' })
    expect(new Set(events.map(({ visitor }) => visitor)).size).toBe(1)
  })

  test('visitors are distinguished by their browsers, and a headless browser is not a human', async () => {
    for (const user_agent of [BROWSER, BROWSER.replace('142', '143')]) {
      await (await visitor(user_agent)).goto('http://www.example.com/')
    }
    await (await visitor(null)).goto('http://www.example.com/shoes')
    await vi.waitFor(async () => expect(await collecting.stored()).toHaveLength(3), { timeout: 60_000, interval: 100 })
    const events = await collecting.stored()
    const people = events.filter(({ stream }) => stream === 'browser')
    expect(new Set(people.map(({ visitor }) => visitor)).size).toBe(2)
    expect(events.filter(({ stream }) => stream === 'bot').map(reported)).toEqual([
      'bot pageview www.example.com/shoes',
    ])
  })

  test('refused events are reported and not repeated, and the rest of their request is accepted', async () => {
    const page = await visitor()
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    const calls = atOnce(`spoor('signup', { undeclared: 1 }); spoor('plain')`)
    web.page('www.example.com/reported', snippet(collecting.public_key) + calls)
    await page.goto('http://www.example.com/reported')
    const answer = await answered
    expect(answer.status()).toBe(202)
    expect(await answer.json()).toEqual({
      accepted: 2,
      rejected: [{ index: 1, code: 'undeclared_property', message: expect.any(String) }],
    })
    await stored('browser pageview www.example.com/reported', 'browser event plain www.example.com/reported')
  })

  test('a page on localhost reports in the console what is missing, and is counted once its origin is listed', async () => {
    const page = await visitor()
    const lines: string[] = []
    page.on('console', (message) => message.type() === 'info' && lines.push(message.text()))
    const origin = `http://localhost:${web.port}`
    web.page('localhost/', snippet(collecting.public_key, 'data-local'))
    await page.goto(origin)
    const missing = `${origin} is not a development origin of example.com. Its owner adds it: spoor tracker origin add example.com ${origin}`
    await vi.waitFor(() => expect(lines).toEqual([`Spoor: ${missing}`]), { timeout: 60_000, interval: 50 })
    const { clock, installation } = collecting.service
    await addDevelopmentOrigin({ control: installation.control, clock }, { site: collecting.site, origin })
    clock.advance(3_000)
    await page.goto(origin)
    await stored('development pageview localhost/')
    expect(lines).toHaveLength(1)
    expect(await collecting.refused()).toEqual({})
  })

  test('a page of another site has no use of the key', async () => {
    const page = await visitor()
    const failed = page.waitForEvent('requestfailed', (request) => request.method() === 'POST')
    await page.goto('http://other.example/')
    await failed
    await stored()
    const counts = await collecting.service.installation.control.db
      .selectFrom('collection_counts')
      .selectAll()
      .execute()
    expect(counts).toEqual([expect.objectContaining({ outcome: 'refused', events: 1 })])
  })

  test('an outbound link is stored although the page is left, and the load proves the snippet', async () => {
    const page = await visitor()
    await page.goto('http://www.example.com/')
    await page.click('#out')
    await stored('browser pageview www.example.com/', 'browser event outbound_link www.example.com/')
    const proofs = await collecting.service.installation.control.db.selectFrom('snippet_proofs').selectAll().execute()
    expect(proofs).toEqual([expect.objectContaining({ day: '2026-11-21', proof: 'script_load' })])
  })
})

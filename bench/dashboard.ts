/**
 * How long people wait on the dashboard, with the demo's history in Chromium and a processor slowed four times: the
 * compressed script of a first visit, LCP of a newly opened page, and the longest of some interactions (INP; web.dev
 * calls 200 ms and an LCP of 2.5 s good). Run: npm run bench -- dashboard [runs, default 3]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../test/support/browser.ts'
import { percentile, row } from './parts/figures.ts'

const LAUNCHER = new URL('../bin/spoor.mjs', import.meta.url).pathname
const SLOWED = 4
const [runs = 3] = process.argv.slice(2).map(Number)

/** Each with an action of a person: a link or button by its accessible name. */
const PAGES: readonly (readonly [path: string, ...presses: string[]])[] = [
  ['/sites/SITE/performance', '7d', 'Training', 'Show as table'],
  ['/sites/SITE/crawlers', '7d', 'Impostors'],
  ['/sites/SITE/top-pages', '90d', 'Crawlers'],
  ['/sites/SITE/overview', '7d', 'Sessions'],
  ['/sites/SITE/pages', 'Entries', '90d'],
  ['/sites/SITE/journeys', '7d'],
  ['/sites/SITE/issues', 'Came back'],
  ['/brands/BRAND/report', 'Export'],
  ['/sites'],
]

/** Runs in the page before anything else of it. */
const OBSERVE = `
  globalThis.lcp = 0
  globalThis.interactions = []
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) lcp = entry.startTime })
    .observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.interactionId > 0) interactions.push(entry.duration)
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 })
`
const SCRIPT = `performance.getEntriesByType('resource')
  .filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`
const IS_SETTLED = `document.querySelector('h1') !== null
  && document.querySelector('main [aria-busy=true], main .skeleton') === null`

const demo = spawn('node', [LAUNCHER, 'demo', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const { url, dashboard_link } = await firstLine(demo)
  const browser = await openBrowser({ port: Number(new URL(url).port) })
  try {
    await measureAll(browser, dashboard_link)
  } finally {
    await browser.close()
  }
} finally {
  demo.kill('SIGINT')
  if (demo.exitCode === null) await once(demo, 'exit')
}

interface Demo {
  url: string
  dashboard_link: string
}

/** The output of the demo once it listens: one JSON object. */
async function firstLine({ stdout }: typeof demo): Promise<Demo> {
  let printed = ''
  for await (const part of stdout.setEncoding('utf8')) {
    printed += part
    if (printed.trimEnd().endsWith('}')) return JSON.parse(printed) as Demo
  }
  throw new Error(`The demo ended before it listened: ${printed}${await text(demo.stdout)}`)
}

async function measureAll(browser: Browser, link: string): Promise<void> {
  const { state, origin, subjects } = await signIn(browser, link)
  console.log(row('page', 'script, KiB', 'LCP ms', 'worst LCP', 'INP ms'))
  for (const [path, ...presses] of PAGES) {
    const address = `${origin}${path.replace('SITE', subjects.site).replace('BRAND', subjects.brand)}`
    // Once without measuring, so that the service has already read these days.
    const measured: Measured[] = []
    for (let turn = 0; turn <= runs; turn += 1) {
      const context = await browser.newContext({
        storageState: state,
        viewport: { width: 1440, height: 900 },
        // The pages' security policy would forbid the functions that wait in them.
        bypassCSP: true,
      })
      const figures = await measure(context, address, presses)
      if (turn > 0) measured.push(figures)
      await context.close()
    }
    const lcps = measured.map(({ lcp_ms }) => lcp_ms)
    const inp_ms = Math.max(...measured.map((each) => each.inp_ms))
    const script = ((measured[0] as Measured).script_bytes / 1024).toFixed(1)
    console.log(row(path, script, ...[percentile(lcps, 50), Math.max(...lcps), inp_ms].map(Math.round)))
  }
}

async function signIn(browser: Browser, link: string) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(link)
  await page.waitForURL(/\/sites\//)
  const { origin } = new URL(page.url())
  const answer = await context.request.get(`${origin}/dashboard-api/getSession`)
  const { sites, brands } = (await answer.json()) as { sites: [{ id: string }]; brands: [{ id: string }] }
  const state = await context.storageState()
  await context.close()
  return { state, origin, subjects: { site: sites[0].id, brand: brands[0].id } }
}

interface Measured {
  script_bytes: number
  lcp_ms: number
  inp_ms: number
}

async function measure(context: BrowserContext, address: string, presses: readonly string[]): Promise<Measured> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  await page.addInitScript(OBSERVE)
  await page.goto(address, { waitUntil: 'networkidle' })
  await page.waitForFunction(IS_SETTLED)
  const script_bytes = await page.evaluate<number>(SCRIPT)
  // The first press ends the measurement of LCP.
  const lcp_ms = await page.evaluate<number>('lcp')
  for (const name of presses) await press(page, name)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find' }).waitFor()
  await page.keyboard.type('iss')
  await painted(page)
  const inp_ms = await page.evaluate<number>('Math.max(0, ...interactions)')
  return { script_bytes, lcp_ms, inp_ms }
}

async function press(page: Page, name: string): Promise<void> {
  const said = new RegExp(`^${name}`)
  await page
    .locator('main')
    .getByRole('link', { name: said })
    .or(page.getByRole('button', { name: said }))
    .first()
    .click()
  await painted(page)
  await page.waitForFunction(IS_SETTLED)
  await page.keyboard.press('Escape')
}

/** Event timing is reported after the next frame. */
function painted(page: Page): Promise<unknown> {
  return page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 300))))',
  )
}

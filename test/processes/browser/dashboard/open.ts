/** The built dashboard in Chromium before a service that holds the demo's history. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { build } from 'vite'
import { readConfig } from '#config.ts'
import { playSite } from '../../../../cli/commands/demo-site.ts'
import { openBrowser } from '../../../support/browser.ts'
import { makeTestFolder, removeTestFolder } from '../../../support/control.ts'
import { type Browser as Asking, signInAs } from '../../../support/person.ts'
import { openTestService, type TestService } from '../../../support/service.ts'

const NOW = '2026-03-10T12:00:00Z'
/** Long enough for issues, a funnel and the brand's change of model; every further day takes half a second. */
const DAYS = 16

/** What no page may do, by the operator who may see everything; each line names the address. */
export interface Faults {
  foreign_requests: string[]
  console_errors: string[]
  thrown: string[]
}

export interface OpenedDashboard {
  service: TestService
  origin: string
  /** Of the operator, who owns the site. */
  context: BrowserContext
  faults: Faults
  contextOf(person: Asking): Promise<BrowserContext>
  /** The answer that the dashboard's own API gives to the operator. */
  ask<Answer>(operation: string, query: Readonly<Record<string, string>>): Promise<Answer>
  /** Opens an address and waits until nothing is read any more. */
  open(address: string, at?: BrowserContext): Promise<Page>
  close(): Promise<void>
}

export async function openDashboard(): Promise<OpenedDashboard> {
  const [data, built] = [makeTestFolder(), makeTestFolder()]
  await build({
    configFile: new URL('../../../../dashboard/vite.config.ts', import.meta.url).pathname,
    logLevel: 'error',
    build: { outDir: built, emptyOutDir: true },
  })
  const own = { data, database_url: null, metrics: null, smtp: null }
  const seed = { now: Date.parse(NOW), days: DAYS, seed: 1 }
  await playSite({ ...readConfig({}), ...own }, seed, new AbortController().signal)
  const service = await openTestService(NOW, data, { dashboard_folder: new URL(`file://${built}/`) })
  await service.rebuild()
  const port = await service.listen()
  const origin = `http://localhost:${port}`
  const browser: Browser = await openBrowser({ port })
  const faults: Faults = { foreign_requests: [], console_errors: [], thrown: [] }

  async function contextOf({ cookie }: Asking): Promise<BrowserContext> {
    const made = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
    const [name = '', value = ''] = (cookie ?? '').split('=')
    if (cookie !== null) await made.addCookies([{ name, value, url: origin }])
    return made
  }
  const context = await contextOf(await signInAs(service, service.installation.operator))

  async function open(address: string, at: BrowserContext = context): Promise<Page> {
    const page = await at.newPage()
    if (at !== context) return load(page)
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(origin) && !/^(?:blob|data):/.test(url)) faults.foreign_requests.push(`${page.url()}: ${url}`)
    })
    page.on('console', (message) => {
      if (message.type() !== 'error') return
      faults.console_errors.push(`${page.url()}: ${message.text()} ${message.location().url}`)
    })
    page.on('pageerror', (error) => faults.thrown.push(`${page.url()}: ${error.message}`))
    return load(page)

    async function load(page: Page) {
      await page.goto(`${origin}${address}`)
      await settled(page)
      return page
    }
  }

  async function ask<Answer>(operation: string, query: Readonly<Record<string, string>>): Promise<Answer> {
    const answer = await context.request.get(`${origin}/dashboard-api/${operation}?${new URLSearchParams(query)}`)
    if (!answer.ok()) throw new Error(`${operation} was answered with ${answer.status()}: ${await answer.text()}`)
    return (await answer.json()) as Answer
  }

  return {
    service,
    origin,
    context,
    faults,
    contextOf,
    ask,
    open,
    async close() {
      await browser.close()
      await service.close()
      removeTestFolder(built)
    },
  }
}

/** Waits until the page has its heading and no panel waits for an answer. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('h1:not([data-left])') !== null &&
      document.querySelector('main [aria-busy=true], main .skeleton') === null,
  )
}

/** Follows an address as a link within the page does, to a page with another heading; much faster than loading it. */
export async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    for (const heading of document.querySelectorAll('h1')) heading.setAttribute('data-left', '')
    history.pushState(null, '', to)
  }, address)
  await settled(page).catch((cause: unknown) => {
    throw new Error(`${address} did not come to rest`, { cause })
  })
}

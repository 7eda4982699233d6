/**
 * Takes the pictures of docs/screenshots: `npm run take-screenshots`. The demo runs with a fixed clock and seed, so
 * that a picture changes only when the page does. It needs Chromium; look at each picture before you commit it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import type { BrowserContext } from 'playwright-core'
import { openBrowser } from '../test/support/browser.ts'

const FOLDER = new URL('../docs/screenshots/', import.meta.url)
const DEMO = ['demo', '--json', '--clock', '2026-03-10T15:20:00Z']
const SIZE = { width: 1440, height: 1000 }
const MAX_BYTES = 200 * 1024
const THEMES = ['light', 'dark'] as const

/** The name of the picture and the address, in which `$name` is replaced by an id of the demo. */
const PAGES: readonly (readonly [name: string, address: string])[] = [
  ['performance', '/sites/$site/performance'],
  ['crawlers', '/sites/$site/crawlers?purpose=search,assistant,training,unknown&sort=-errors&window=7d'],
  ['crawler', '/sites/$site/crawlers/claudebot?sort=-errors'],
  ['page', '/sites/$site/top-pages/one?host=example.com&path=/pricing'],
  ['issues', '/sites/$site/issues'],
  ['issue', '/sites/$site/issues/$issue'],
  ['overview', '/sites/$site/overview'],
  ['acquisition', '/sites/$site/analytics-sources'],
  ['conversions', '/sites/$site/conversions'],
  ['funnel', '/sites/$site/funnels/$funnel'],
  ['journeys', '/sites/$site/journeys'],
  ['report', '/brands/$brand/report'],
  ['answer', '/brands/$brand/answers/$answer'],
  ['fixes', '/brands/$brand/fixes'],
  ['engines', '/settings/engines'],
  ['first-run', '/sites/$new_site/performance'],
]

interface Demo {
  url: string
  dashboard_link: string
}

async function main(): Promise<void> {
  const child = spawn(process.execPath, ['bin/spoor.mjs', ...DEMO], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    let text = ''
    for await (const part of child.stdout.setEncoding('utf8')) {
      text += part
      if (text.trimEnd().endsWith('}')) break
    }
    await takePictures(JSON.parse(text) as Demo)
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
}

async function takePictures({ url, dashboard_link }: Demo): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  const browser = await openBrowser({ port: Number(new URL(url).port) })
  try {
    const context = await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce' })
    await signIn(context, dashboard_link)
    const subjects = await findSubjects(context, url)
    for (const [name, path] of PAGES) {
      const address = path.replaceAll(/\$(\w+)/g, (_, subject: keyof Subjects) => subjects[subject])
      for (const theme of THEMES) await takePicture(context, `${url}${address}`, `${name}-${theme}.webp`)
    }
  } finally {
    await browser.close()
  }
}

async function signIn(context: BrowserContext, link: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(link)
  await page.waitForURL(/\/sites\/[\w-]+\/performance/)
  await page.close()
}

type Subjects = Readonly<Record<'site' | 'new_site' | 'brand' | 'issue' | 'funnel' | 'answer', string>>

/** The first of each kind, and a new site, on which everything is unknown. */
async function findSubjects({ request }: BrowserContext, url: string): Promise<Subjects> {
  const first = async (operation: string, list: string, query: Record<string, string> = {}, member = 'id') => {
    const answer = await request.get(`${url}/dashboard-api/${operation}?${new URLSearchParams(query)}`)
    const found = ((await answer.json()) as Record<string, Record<string, string>[]>)[list]?.[0]?.[member]
    if (found === undefined) throw new Error(`${operation} answered ${answer.status()} without ${list}`)
    return found
  }
  const site = await first('getSession', 'sites')
  const brand = await first('getSession', 'brands')
  return {
    site,
    brand,
    new_site: await addSite(request, url),
    issue: await first('listIssues', 'issues', { site }),
    funnel: await first('funnel.list', 'funnels', { site }, 'slug'),
    answer: await first('listAnswers', 'answers', { brandId: brand, mentioned: 'true', cited: 'true' }),
  }
}

async function addSite(request: BrowserContext['request'], url: string): Promise<string> {
  const headers = { origin: url, 'sec-fetch-site': 'same-origin' }
  const data = { domain: 'example.org' }
  const answer = await request.post(`${url}/dashboard-api/site.add`, { headers, data })
  if (!answer.ok()) throw new Error(`site.add answered ${answer.status()}: ${await answer.text()}`)
  return ((await answer.json()) as { id: string }).id
}

async function takePicture(context: BrowserContext, address: string, file: string): Promise<void> {
  const page = await context.newPage()
  await page.emulateMedia({ colorScheme: file.includes('-dark') ? 'dark' : 'light' })
  await page.goto(address, { waitUntil: 'networkidle' })
  await page.locator('h1').waitFor()
  await page.waitForFunction("document.querySelector('[aria-busy=true], .skeleton') === null")
  // WebP is a third of PNG's size; only the protocol of the browser offers it.
  const protocol = await context.newCDPSession(page)
  const { data } = await protocol.send('Page.captureScreenshot', { format: 'webp', quality: 90 })
  const picture = Buffer.from(data, 'base64')
  const size = picture.length
  if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes; at most ${MAX_BYTES} are allowed. Show less on it.`)
  await writeFile(new URL(file, FOLDER), picture)
  await page.close()
}

await main()

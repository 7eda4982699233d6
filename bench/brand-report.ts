/**
 * How fast the brand report, the answers list and the URL report are over many answers of one brand. Run:
 * npm run bench -- brand-report [answers, default 1000000] [days, default 365] [folder, kept]
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveAnswers } from '#brands/answers/serve-answers.ts'
import { decodeBrand } from '#brands/find-brand.ts'
import { serveReport } from '#brands/reports/serve-report.ts'
import { serveUrlReport } from '#brands/urls/serve-urls.ts'
import { DAY_MS, systemClock } from '#clock.ts'
import type { AnswerListInput } from '#contract/account-api/index.ts'
import type { Engine, ReportInterval } from '#contract/vocabulary.ts'
import { utcDay } from '#days/utc-day.ts'
import { fillBrand } from './parts/answer-history.ts'
import { percentile, row } from './parts/figures.ts'
import { openData } from './parts/open-data.ts'

const [answers = 1_000_000, days = 365] = process.argv.slice(2, 4).map(Number)
const kept = process.argv[4]
const RUNS = 20
const PAGES = 40

const folder = kept ?? mkdtempSync(join(tmpdir(), 'spoor-bench-'))
const is_filled = kept !== undefined && existsSync(join(kept, 'control.sqlite'))
const clock = systemClock()
const installation = await openData(folder, { clock })
try {
  const crawlers = await installation.crawlers()
  const { account_id } = installation.operator
  const started = performance.now()
  if (!is_filled) await fillBrand(crawlers, account_id, { answers, days })
  console.log(`filled in ${((performance.now() - started) / 1_000).toFixed(1)} s`)
  const stored = await crawlers.control.db.selectFrom('brands').selectAll().executeTakeFirstOrThrow()
  const brand = decodeBrand(stored)
  const ctx = { ...crawlers, brand, caller: { ...installation.operator } as never }
  const windowOf = (length: number) => ({ from: utcDay(clock.now() - (length - 1) * DAY_MS), to: utcDay(clock.now()) })
  const asked = { brandId: brand.id, ignored_parameters: [] }

  console.log(row('', 'p50 ms', 'p99 ms'))
  const intervals = [
    [30, 'day', 'none'],
    [30, 'day', 'previous'],
    [365, 'month', 'none'],
    [365, 'day', 'none'],
  ] as const satisfies [number, ReportInterval, string][]
  for (const [length, interval, compare] of intervals) {
    const input = { ...asked, ...windowOf(length), interval, compare }
    await measure(`report, ${length} days by ${interval}, compare ${compare}`, RUNS, () => serveReport(ctx, input))
  }

  const filters: [string, { mentioned?: boolean; cited?: boolean; engines?: Engine[] }][] = [
    ['', {}],
    [', mentioned=false', { mentioned: false }],
    [', cited and one engine', { cited: true, engines: ['claude'] }],
  ]
  for (const [name, filter] of filters) {
    const input: AnswerListInput = { ...asked, ...windowOf(90), ...filter, limit: 200 }
    let cursor: string | null = null
    await measure(`answers list, page after page${name}`, PAGES, async () => {
      const page = await serveAnswers(ctx, cursor === null ? input : { ...input, cursor })
      cursor = page.next_cursor
    })
  }
  for (const dimension of ['url', 'domain'] as const) {
    for (const length of [30, 365]) {
      const input = { ...asked, ...windowOf(length), dimension, limit: 50, offset: 0 }
      await measure(`URL report, ${dimension}, ${length} days`, 5, () => serveUrlReport(ctx, input))
    }
  }
  console.log(
    row('memory of the engine', `${Math.round((await crawlers.evidence.state()).memory_bytes / 2 ** 20)} MiB`),
  )
} finally {
  await installation.close()
  if (kept === undefined) rmSync(folder, { recursive: true })
}

async function measure(name: string, runs: number, work: () => Promise<unknown>): Promise<void> {
  const taken: number[] = []
  for (let run = 0; run < runs; run++) {
    const started = performance.now()
    await work()
    taken.push(performance.now() - started)
  }
  console.log(row(name, percentile(taken, 50).toFixed(0), percentile(taken, 99).toFixed(0)))
}

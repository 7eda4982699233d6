/**
 * How long detection takes over 7 days of requests: the first time, again, and after new evidence of one day is
 * derived; and how fast getIssues answers with many issues. Run: npm run bench -- issues [millions, default 10]
 * [issues, default 10000]
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSiteKey } from '#accounts/site-keys.ts'
import { DAY_MS, systemClock } from '#clock.ts'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import { utcDay } from '#days/utc-day.ts'
import { detectIssues } from '#issues/detect-issues.ts'
import { addRequests, fillSite } from './parts/crawler-history.ts'
import { percentile, row } from './parts/figures.ts'
import { buildSurfaces, openData } from './parts/open-data.ts'

const [millions = 10, issues = 10_000] = process.argv.slice(2).map(Number)
const RUNS = 5
const READS = 300
const ROWS_AT_ONCE = 200
const PATHS = 50_000
const DAYS = 7
/** One in this many requests of a day is repeated as new evidence. */
const SHARE = 100

const folder = mkdtempSync(join(tmpdir(), 'spoor-bench-'))
const clock = systemClock()
const installation = await openData(folder, { clock })
try {
  const site_id = await fillSite(installation, millions * 1_000_000, { paths: PATHS, days: DAYS })
  const crawlers = await installation.crawlers()
  await rebuildDirtyDays(crawlers)
  console.log(row('', 'p50 ms', 'p99 ms', 'cpu p50 ms', 'cpu p99 ms'))
  report('first detection', [await timed(() => detectIssues(crawlers, site_id))])
  const again: Taken[] = []
  for (let run = 0; run < RUNS; run++) again.push(await timed(() => detectIssues(crawlers, site_id)))
  const today = utcDay(clock.now())
  const changed = async (day: string) => {
    const taken: Taken[] = []
    for (let run = 0; run < RUNS; run++) {
      await addRequests(installation, crawlers.evidence, { site_id, day, share: SHARE, run })
      await rebuildDirtyDays(crawlers)
      taken.push(await timed(() => detectIssues(crawlers, site_id, [day])))
    }
    return taken
  }
  const openDay = await changed(today)
  const closedDay = await changed(utcDay(clock.now() - 3 * DAY_MS))
  const { count } = await crawlers.control.db
    .selectFrom('issues')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  report(`detection of a site with ${count} issues`, again)
  report('after new evidence of the open day', openDay)
  report('after new evidence of a closed day', closedDay)
  console.log(row('cached rows', `${(crawlers.derived.detection_rows.bytes / 2 ** 20).toFixed(1)} MiB`, ''))
  console.log(row('memory of the process', `${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`, ''))
  console.log(
    row('memory of the engine', `${Math.round((await crawlers.evidence.state()).memory_bytes / 2 ** 20)} MiB`, ''),
  )

  await addIssues(site_id)
  const http = buildSurfaces(installation, crawlers)
  const url = await http.listen({ host: '127.0.0.1', port: 0 })
  const { user_id } = installation.operator
  const { secret } = await createSiteKey(installation.operator, { user_id, name: 'bench' })
  const reads: Taken[] = []
  for (let run = 0; run < READS; run++) {
    reads.push(
      await timed(async () => {
        const headers = { authorization: `Bearer ${secret}` }
        const answer = await fetch(`${url}/v1/sites/${site_id}/issues?limit=50`, { headers })
        const body = await answer.text()
        if (answer.status !== 200) throw new Error(body)
      }),
    )
  }
  report(`getIssues with ${issues} issues`, reads)
  await http.close()
} finally {
  await installation.close()
  rmSync(folder, { recursive: true })
}

/** On a busy machine, the elapsed time grows, but the processor time hardly changes. */
interface Taken {
  clock_ms: number
  cpu_ms: number
}

async function timed(work: () => Promise<unknown>): Promise<Taken> {
  const used = process.cpuUsage()
  const started = performance.now()
  await work()
  const { user, system } = process.cpuUsage(used)
  return { clock_ms: performance.now() - started, cpu_ms: (user + system) / 1_000 }
}

function report(name: string, taken: readonly Taken[]): void {
  const clock = taken.map(({ clock_ms }) => clock_ms)
  const cpu = taken.map(({ cpu_ms }) => cpu_ms)
  const figures = [percentile(clock, 50), percentile(clock, 99), percentile(cpu, 50), percentile(cpu, 99)]
  console.log(row(name, ...figures.map((ms) => ms.toFixed(0))))
}

async function addIssues(site_id: string): Promise<void> {
  const { db } = installation.control
  const now = clock.now()
  for (let at = 0; at < issues; at += ROWS_AT_ONCE) {
    const rows = Array.from({ length: ROWS_AT_ONCE }, (_one, index) => ({
      id: randomUUID(),
      site_id,
      unit: null,
      host: 'example.com',
      path_key: `/bench/${at + index}`,
      crawler_id: 'gptbot',
      harm: 'refused',
      vantage: 'origin' as const,
      state: 'open' as const,
      opened_at: now,
      last_harm_at: now,
      baseline: null,
      clean_since: null,
      fix_detected_at: null,
      fix_confirmed_at: null,
      detected_at: now + index,
      ended_at: null,
      cause: 'http_status',
      confidence: 'low' as const,
      title: 'bench',
      description: null,
      fix_prompt: 'bench '.repeat(200),
      evidence_from: '2026-03-01',
      evidence_to: '2026-03-01',
      member_count: 1,
      weakest_identity: 1,
      recent_harm_count: (at + index) % 977,
      previous_id: null,
      revision: 1,
    }))
    await db.insertInto('issues').values(rows).execute()
    const ref = JSON.stringify({
      kind: 'rollup_daily',
      host: 'example.com',
      path_key: '/',
      status: 403,
      count: 3,
      window: '',
    })
    await db
      .insertInto('issue_evidence')
      .values(rows.map(({ id }) => ({ issue_id: id, position: 0, ref })))
      .execute()
  }
}

/**
 * Crawlers that fetched robots.txt and then stopped requesting what one of its rules disallows (rules 8.1, robots).
 * Their earlier requests show what was lost. Rules that were written after a request do not judge it (rules 8.4).
 */
import { DAY_MS } from '#clock.ts'
import type { IntendedMarkRow, RobotsSnapshotRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { RegistryEntry } from '#crawlers/registry/document.ts'
import { utcDay } from '#days/utc-day.ts'
import { decidePathsBySnapshot } from '#inspections/robots-history.ts'
import { completeCoverage } from '../evidence/counted-coverage.ts'
import type { DetectionScope } from '../evidence/detection-scope.ts'
import { memberKey } from '../evidence/later-evidence.ts'
import { pagesNamed, pagesServedSince, servedPages } from '../evidence/named-pages.sql.ts'
import { namesOfPages, type PageOutcome } from '../evidence/page-outcomes.sql.ts'
import { type OutcomesByPage, readOutcomes } from '../evidence/read-outcomes.ts'
import { fetchesOf, findInspectionOf, findKnownFiles } from '../evidence/robots-snapshots-of-issues.ts'
import { readFollowed, readMarks } from '../followed-issues.ts'
import { MIN_HARMFUL_REQUESTS, PRIOR_DAYS, totalRequests } from '../harms.ts'
import { intendedUntil, isIntended } from '../intended/match-marks.ts'
import { advanceRobots } from '../lifecycle/advance-robots.ts'
import { refsByStatus } from '../texts/evidence-refs.ts'
import { periodText, titleText } from '../texts/title.ts'
import { openWithinDay } from './open-issue-once.ts'

const ROBOTS_PATH = '/robots.txt'
/** The most pages of a host that are compared with its rules, those with the most requests first. */
const MAX_PAGES = 2_000
const MAX_OUTCOME_PAGES = 1_000

interface Member {
  page_id: string
  crawler_id: string
  path: string
}

/** Advances issues about rules of robots.txt, and opens new ones. */
export async function detectRobots(ctx: CrawlerContext, detection: DetectionScope): Promise<void> {
  const files = await findKnownFiles(ctx.control.db, detection.scope.site_id)
  const followed = await readFollowed(ctx.control.db, detection.scope.site_id, ['robots'])
  if (files.length === 0 && followed.length === 0) return
  const names = files.map(({ host }) => ({ host, path: ROBOTS_PATH }))
  const pages = names.length === 0 ? [] : await ctx.evidence.all(pagesNamed(detection.scope.site_id, names))
  const since = utcDay(Math.min(detection.as_of, ...files.map(({ first_fetched_at }) => first_fetched_at)))
  const fetches = await readOutcomes(
    ctx,
    detection,
    pages.map(({ page_id }) => page_id),
    since,
  )
  const fetchesOfHost = (host: string) => fetches.of(pages.filter((page) => page.host === host))
  await advanceRobots(ctx, detection, { followed, files, fetchesOfHost })
  const marks = await readMarks(ctx.control.db, detection.scope.site_id)
  for (const file of files) {
    if (detection.as_of - file.first_fetched_at > (PRIOR_DAYS + 1) * DAY_MS) continue
    const outcomes = fetchesOfHost(file.host)
    const crawlers = [...new Set(outcomes.map(({ crawler_id }) => crawler_id))].flatMap(
      (id) => detection.registry.entry(id) ?? [],
    )
    const fetched = crawlers.filter(({ crawler_id }) => fetchesOf(file, outcomes, crawler_id).length > 0)
    if (fetched.length > 0) await openOfFile(ctx, detection, { file, crawlers: fetched, outcomes, marks })
  }
}

interface FetchedFile {
  file: RobotsSnapshotRow
  crawlers: readonly RegistryEntry[]
  /** Outcomes of requests for robots.txt itself. */
  outcomes: readonly PageOutcome[]
  marks: readonly IntendedMarkRow[]
}

async function openOfFile(
  ctx: CrawlerContext,
  detection: DetectionScope,
  { file, crawlers, outcomes, marks }: FetchedFile,
): Promise<void> {
  const { host, first_fetched_at } = file
  const from = utcDay(first_fetched_at - PRIOR_DAYS * DAY_MS)
  const ids = crawlers.map(({ crawler_id }) => crawler_id)
  const served = await ctx.evidence.all(servedPages(detection, { host, crawlers: ids, from, limit: MAX_PAGES }))
  if (served.length === 0) return
  const page_ids = [...new Set(served.map(({ page_id }) => page_id))]
  const named = await ctx.evidence.all(namesOfPages(detection.scope.site_id, page_ids))
  const paths = new Map(named.map(({ page_id, path }) => [page_id, path]))
  for (const crawler of crawlers) {
    const { crawler_id } = crawler
    // A page that was served at the edge and by the origin is listed for each.
    const own = new Set(served.filter((row) => row.crawler_id === crawler_id).map(({ page_id }) => page_id))
    const members = [...own].flatMap((page_id): Member[] => {
      const path = paths.get(page_id)
      return path === undefined || path === ROBOTS_PATH ? [] : [{ page_id, crawler_id, path }]
    })
    if (members.length === 0) continue
    const decisions = await decidePathsBySnapshot(ctx.control.db, file, {
      paths: members.map(({ path }) => path),
      crawler,
      at: file.last_fetched_at,
    })
    const disallowed = members.flatMap((member, index) => {
      const { decision, rule } = decisions[index] ?? {}
      return decision === 'disallowed' && typeof rule === 'string' ? [{ member, rule }] : []
    })
    for (const [rule, below] of Map.groupBy(disallowed, (one) => one.rule)) {
      const found = { host, path: rule, crawler_id: crawler.crawler_id, harm: 'robots' as const }
      if (isIntended(marks, found)) continue
      const some = below.slice(0, MAX_OUTCOME_PAGES).map(({ member }) => member)
      const known = await readOutcomes(
        ctx,
        detection,
        some.map(({ page_id }) => page_id),
        from,
      )
      const since = intendedUntil(marks, found)
      await openOfRule(ctx, detection, { file, crawler, rule, members: some, since }, known, outcomes)
    }
  }
}

interface DecidingRule {
  file: RobotsSnapshotRow
  crawler: RegistryEntry
  rule: string
  members: readonly Member[]
  /** Only fetches of the file after this instant count, epoch milliseconds. */
  since: number
}

const isServed = ({ status, by_edge }: PageOutcome) => status >= 200 && status <= 299 && by_edge === 0

async function openOfRule(
  ctx: CrawlerContext,
  detection: DetectionScope,
  { file, crawler, rule, members, since }: DecidingRule,
  known: OutcomesByPage,
  robots: readonly PageOutcome[],
): Promise<void> {
  const { host } = file
  const { crawler_id } = crawler
  const keys = new Set(members.map(memberKey))
  const served = known.of(members).filter((one) => keys.has(memberKey(one)) && isServed(one))
  for (const vantage of ['origin', 'edge'] as const) {
    const seen = served.filter((one) => one.vantage === vantage)
    if (totalRequests(seen) < MIN_HARMFUL_REQUESTS) continue
    const last_ms = Math.max(since, ...seen.map((one) => one.last_ms))
    const fetches = fetchesOf(
      file,
      robots.filter((one) => one.vantage === vantage),
      crawler_id,
    ).filter((at) => at > last_ms && isCovered(detection, { host, vantage }, at))
    const fetched_at = await firstObeyed(ctx, detection, { file, crawler, rule, vantage, fetches })
    if (fetched_at === undefined) continue
    const before = seen.filter(({ first_ms }) => first_ms >= fetched_at - PRIOR_DAYS * DAY_MS)
    const successes = totalRequests(before)
    if (successes < MIN_HARMFUL_REQUESTS) continue
    const days = before.map(({ day }) => day).sort()
    const window = { from: days[0] as string, to: days.at(-1) as string }
    const rank = Math.min(...before.map((one) => one.rank))
    const statuses = [...new Set(before.map(({ status }) => status))].sort((a, b) => a - b)
    const name = crawler.display_name
    await openWithinDay(ctx, detection, {
      group: {
        host,
        path_key: rule,
        crawler_id,
        vantage,
        harm: 'robots',
        members: members.flatMap((member) => memberOf(host, member, before)).sort((a, b) => b.harmful - a.harmful),
      },
      text: {
        title:
          `robots.txt of ${titleText(host)}, fetched by ${rank > 1 ? name : `a client naming ${name}`} on ` +
          `${periodText({ from: utcDay(fetched_at), to: utcDay(fetched_at) })}, disallows ${titleText(rule)}: ` +
          `${successes} requests below it got ${statuses.join(', ')} in the 30 days before, 0 since`,
        cause: 'robots_rule',
        confidence: 'low',
        description: null,
        fix_prompt: FIX_PROMPT,
        evidence_refs: refsByStatus(
          { ...detection, host, path_key: rule, window: `${window.from}/${window.to}` },
          before,
        ),
      },
      inspection_id: await findInspectionOf(ctx.control.db, file),
      last_harm_at: file.last_fetched_at,
    })
  }
}

/**
 * The first of these fetches, which are ascending, after which the crawler was served nothing below the pattern. This
 * reads every page, because only the most requested pages of a large host were compared with the rules before.
 */
async function firstObeyed(
  ctx: CrawlerContext,
  detection: DetectionScope,
  {
    fetches,
    ...below
  }: Omit<DecidingRule, 'members' | 'since'> & { vantage: 'edge' | 'origin'; fetches: readonly number[] },
): Promise<number | undefined> {
  const [first] = fetches
  if (first === undefined) return undefined
  const last_ms = await lastServedBelow(ctx, detection, { ...below, since: first })
  return last_ms === null ? first : fetches.find((at) => at > last_ms)
}

/** When the crawler was last served below the pattern after an instant, epoch milliseconds; null: never. */
async function lastServedBelow(
  ctx: CrawlerContext,
  detection: DetectionScope,
  { file, crawler, rule, ...served }: Omit<DecidingRule, 'members'> & { vantage: 'edge' | 'origin' },
): Promise<number | null> {
  const { host } = file
  const { crawler_id } = crawler
  const found = await ctx.evidence.all(pagesServedSince(detection, { ...served, host, crawler_id, limit: MAX_PAGES }))
  const ids = found.map(({ page_id }) => page_id)
  const named = ids.length === 0 ? [] : await ctx.evidence.all(namesOfPages(detection.scope.site_id, ids))
  const pages = named.filter(({ path }) => path !== ROBOTS_PATH)
  if (pages.length === 0) return null
  const decisions = await decidePathsBySnapshot(ctx.control.db, file, {
    paths: pages.map(({ path }) => path),
    crawler,
    at: file.last_fetched_at,
  })
  const isBelow = (index: number) => decisions[index]?.decision === 'disallowed' && decisions[index].rule === rule
  const below = new Set(pages.filter((_page, index) => isBelow(index)).map(({ page_id }) => page_id))
  return found.find(({ page_id }) => below.has(page_id))?.last_ms ?? null
}

function memberOf(host: string, { page_id, crawler_id, path }: Member, before: readonly PageOutcome[]) {
  const own = before.filter((one) => one.page_id === page_id)
  const [first] = own
  if (first === undefined) return []
  const days = own.map(({ day }) => day).sort()
  return [
    {
      host,
      path,
      page_id,
      crawler_id,
      vantage: first.vantage,
      harmful: totalRequests(own),
      observed: totalRequests(own),
      is_login_asked: 0,
      rank: Math.min(...own.map(({ rank }) => rank)),
      first_day: days[0] as string,
      last_day: days.at(-1) as string,
      first_ms: Math.min(...own.map(({ first_ms }) => first_ms)),
      last_ms: Math.max(...own.map(({ last_ms }) => last_ms)),
    },
  ]
}

/**
 * Whether coverage is complete from the fetch on, for at least the day in which crawlers may use an older copy, and up
 * to yesterday. Without it the absence of requests is not proved.
 */
function isCovered(
  detection: DetectionScope,
  unit: { host: string; vantage: 'edge' | 'origin' },
  since: number,
): boolean {
  const until = Math.max(since + DAY_MS, detection.as_of - DAY_MS)
  if (until > detection.as_of) return false
  return completeCoverage(detection, unit).some(({ from, to }) => from <= since && to >= until)
}

const FIX_PROMPT =
  'If the crawler is welcome below this pattern, change the rule of robots.txt or add an `Allow` rule that is longer than it, and look at ' +
  'what generates the file (the content system, a plugin, the CDN). `spoor robots test FILE URL --agent TOKEN` decides before it is ' +
  'published. What proves the repair: 3 requests of the crawler with 2xx below the pattern. If the rule is wanted, mark the issue as intended.'

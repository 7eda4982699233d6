/** Finds paths whose outcomes meet the rule, and which of them may open an issue (rules 8.1). */
import { DAY_MS } from '#clock.ts'
import { compareText } from '#compare-text.ts'
import type { Vantage } from '#contract/vocabulary.ts'
import type { ControlDb } from '#control/store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { utcDay } from '#days/utc-day.ts'
import { findBuilds } from '#derived/builds.ts'
import type { Row } from '#evidence/sql.ts'
import { queueInspections, resultOf } from '#inspections/queue.ts'
import { chunks } from '../evidence/chunks.ts'
import type { DetectionScope } from '../evidence/detection-scope.ts'
import { meetsRedirects } from '../evidence/inspections-of-issues.ts'
import { distinctDays } from '../evidence/later-evidence.ts'
import { namesOfPages, type PageOutcome, priorPageviews, priorSuccesses } from '../evidence/page-outcomes.sql.ts'
import { exactDays, OutcomesByPage, readOutcomes } from '../evidence/read-outcomes.ts'
import { isKnownOpen, PRIOR_DAYS, type PriorUse, ruleFrom, totalRequests, wasInUse } from '../harms.ts'
import { harmsSince } from './day-harms.ts'
import type { HarmedPath } from './group-units.ts'
import { harmedUnit } from './harmed-unit.ts'
import { findSuspects, type Suspect } from './suspects.ts'

/** The most harmed paths that one detection of a site considers. */
const MAX_PATHS = 20_000

export interface HarmedPaths {
  /** The most harmed first. */
  paths: HarmedPath[]
  /** The outcomes of their pages on the days of the rule. */
  outcomes: OutcomesByPage
}

/**
 * Units of pages that may meet the rule, the most harmed first.
 * @param changed_days only units with harm on one of these days; null: on any day.
 */
export async function readSuspects(
  ctx: CrawlerContext,
  detection: DetectionScope,
  changed_days: readonly string[] | null,
): Promise<Suspect[]> {
  const suspects: Suspect[] = []
  for await (const days of harmsSince(ctx, detection, ruleFrom(detection.as_of)))
    for (const suspect of findSuspects(days, changed_days)) suspects.push(suspect)
  return suspects.sort((a, b) => b.harmful - a.harmful || compareText(a.page_id, b.page_id) || a.unit - b.unit)
}

/** The suspects that meet the rule, the most harmed first. */
export async function findHarmedPaths(
  ctx: CrawlerContext,
  detection: DetectionScope,
  suspects: readonly Suspect[],
): Promise<HarmedPaths> {
  const paths: HarmedPath[] = []
  // Units of one page may be in different parts; its outcomes are kept once.
  const outcomes = new Map<string, PageOutcome[]>()
  for (const some of chunks(suspects)) {
    if (paths.length >= MAX_PATHS) break
    const found = await decide(ctx, detection, some)
    for (const path of found.paths) {
      paths.push(path)
      outcomes.set(path.page_id, found.outcomes.of([path]))
    }
  }
  paths.sort(
    (a, b) =>
      b.harmful - a.harmful ||
      compareText(a.page_id, b.page_id) ||
      compareText(a.crawler_id, b.crawler_id) ||
      compareText(a.vantage, b.vantage) ||
      compareText(a.harm, b.harm),
  )
  return { paths: paths.slice(0, MAX_PATHS), outcomes: new OutcomesByPage([...outcomes.values()].flat()) }
}

/** The suspects that meet the rule with one kind of harm, and all outcomes that were read. */
async function decide(
  ctx: CrawlerContext,
  detection: DetectionScope,
  suspects: readonly Suspect[],
): Promise<HarmedPaths> {
  const page_ids = [...new Set(suspects.map(({ page_id }) => page_id))]
  const [outcomes, names] = await Promise.all([
    readOutcomes(ctx, detection, page_ids, ruleFrom(detection.as_of)),
    ctx.evidence.all(namesOfPages(detection.scope.site_id, page_ids)),
  ])
  const nameOf = new Map(names.map(({ page_id, ...name }) => [page_id, name]))
  const paths = suspects.flatMap(({ page_id, unit, harm }) => {
    const name = nameOf.get(page_id)
    const crawler_id = detection.registry.entries[Math.floor(unit / 2) - 1]?.crawler_id
    // A page without a name: its facts are being deleted.
    if (name === undefined || crawler_id === undefined) return []
    const vantage: Vantage = unit % 2 === 1 ? 'edge' : 'origin'
    const own = outcomes.of([{ page_id }]).filter((one) => one.crawler_id === crawler_id && one.vantage === vantage)
    const harmed = harmedUnit(own, harm)
    return harmed === null ? [] : [{ ...name, page_id, crawler_id, vantage, ...harmed }]
  })
  return { paths, outcomes }
}

export interface JudgedPaths {
  /** Paths that may open an issue. */
  harmed: HarmedPath[]
  /** Paths for which an inspection decides, the most harmed first. */
  undecided: HarmedPath[]
}

/** Decides by earlier requests which paths were in use or open. For the others an inspection decides. */
export async function judgePaths(
  ctx: CrawlerContext,
  detection: DetectionScope,
  paths: readonly HarmedPath[],
  outcomes: OutcomesByPage,
): Promise<JudgedPaths> {
  const asked = paths.filter(({ harm }) => harm === 'refused' || harm === 'gone')
  const prior = await readPriorUse(ctx, detection, new Map(asked.map((path) => [path, beginOfHarm(path, outcomes)])))
  await clearFirstDays(ctx, detection, prior, outcomes)
  const judged: JudgedPaths = { harmed: [], undecided: [] }
  for (const path of paths) {
    const known = prior.get(path)
    const use = known === undefined ? undefined : useOf(known)
    if (path.harm === 'redirects') judged.undecided.push(path)
    else if (use === undefined || (path.harm === 'gone' && wasInUse(use))) judged.harmed.push(path)
    else if (path.harm === 'refused') {
      if (isKnownOpen(use, path.is_login_asked === 1)) judged.harmed.push(path)
      else judged.undecided.push(path)
    }
  }
  return judged
}

/** When the current harm began: after the crawler was last served in between, at that instant at the earliest. */
function beginOfHarm(
  { page_id, crawler_id, vantage, first_ms, last_ms }: HarmedPath,
  outcomes: OutcomesByPage,
): number {
  const served = outcomes
    .of([{ page_id }])
    .filter((one) => one.crawler_id === crawler_id && one.vantage === vantage && isOpen(one) && one.first_ms < last_ms)
  return Math.max(first_ms, ...served.map((one) => (one.last_ms < last_ms ? one.last_ms : one.first_ms) + 1))
}

/** Days on which a path answered crawlers before its harm began, and days of pageviews. */
interface KnownUse {
  /** Epoch milliseconds. */
  harmed_from: number
  answered: readonly Row<ReturnType<typeof priorSuccesses>>[]
  seen: readonly { day: string; pageviews: number }[]
}

function useOf({ answered, seen }: Pick<KnownUse, 'answered' | 'seen'>): PriorUse {
  const served = answered.filter((row) => row.successes > 0)
  return {
    open_days: answered.map(({ day }) => day),
    success_days: served.map(({ day }) => day),
    successes: served.reduce((sum, row) => sum + row.successes, 0),
    pageview_days: seen.map(({ day }) => day),
    pageviews: seen.reduce((sum, row) => sum + row.pageviews, 0),
  }
}

async function readPriorUse(
  ctx: CrawlerContext,
  detection: DetectionScope,
  begins: ReadonlyMap<HarmedPath, number>,
): Promise<Map<HarmedPath, KnownUse>> {
  const uses = new Map<HarmedPath, KnownUse>()
  if (begins.size === 0) return uses
  const from = firstPriorDay(Math.min(...begins.values()))
  const builds = await findBuilds(ctx.control.db, 'sessions', detection.scope.site_id, {
    from,
    to: utcDay(detection.as_of),
  })
  for (const some of chunks([...begins])) {
    const ids = [...new Set(some.map(([{ page_id }]) => page_id))]
    const successes = Map.groupBy(
      await ctx.evidence.all(priorSuccesses(detection, ids, from)),
      ({ page_id }) => page_id,
    )
    const views =
      builds.length === 0
        ? new Map<string, { day: string; pageviews: number }[]>()
        : Map.groupBy(
            await ctx.evidence.all(priorPageviews(detection.scope.site_id, builds, ids)),
            ({ page_id }) => page_id,
          )
    for (const [path, harmed_from] of some) {
      const since = firstPriorDay(harmed_from)
      uses.set(path, {
        harmed_from,
        answered: (successes.get(path.page_id) ?? []).filter(
          ({ day, first_ms }) => day >= since && first_ms < harmed_from,
        ),
        seen: (views.get(path.page_id) ?? []).filter(({ day }) => day >= since && day < utcDay(harmed_from)),
      })
    }
  }
  return uses
}

/**
 * Of the day on which a page was first gone, only earlier successes count. They are read instant by instant if they
 * decide.
 */
async function clearFirstDays(
  ctx: CrawlerContext,
  detection: DetectionScope,
  prior: Map<HarmedPath, KnownUse>,
  outcomes: OutcomesByPage,
): Promise<void> {
  const unclear = [...prior].flatMap(([path, use]) => {
    const { answered, seen, harmed_from } = use
    const earlier = answered.filter(({ last_ms }) => last_ms < harmed_from)
    const isDecided = wasInUse(useOf({ answered: earlier, seen })) || !wasInUse(useOf(use))
    return path.harm !== 'gone' || isDecided ? [] : [{ path, use, earlier, day: utcDay(harmed_from) }]
  })
  if (unclear.length === 0) return
  const days = unclear.map(({ path: { page_id }, day }) => ({ page_id, day }))
  await exactDays(ctx, detection, outcomes, distinctDays(days))
  for (const { path, use, earlier, day } of unclear) {
    const before = outcomes
      .of([path])
      .filter((one) => one.day === day && one.first_ms < use.harmed_from && isPageThere(one))
    const on_day = use.answered
      .filter((row) => !earlier.includes(row))
      .map((row) => ({ ...row, successes: totalRequests(before) }))
    prior.set(path, { ...use, answered: [...earlier, ...on_day] })
  }
}

const isPageThere = ({ status, by_edge }: PageOutcome): boolean =>
  status >= 200 && status <= 299 && status !== 202 && by_edge === 0
const isOpen = (one: PageOutcome): boolean => isPageThere(one) || (one.status === 304 && one.by_edge === 0)

const firstPriorDay = (instant: number) => utcDay(instant - PRIOR_DAYS * DAY_MS)

/** A path is inspected for a precondition once in this time. */
const INSPECTED_AGAIN_AFTER_MS = 7 * DAY_MS
/** The most waiting inspections of a site for this purpose; further paths wait for the next detection. */
const MAX_WAITING = 100

/** Returns the undecided paths for which inspections have found harm, and queues inspections for the others. */
export async function inspectUndecided(
  tx: ControlDb,
  detection: DetectionScope,
  undecided: readonly HarmedPath[],
): Promise<{ harmed: HarmedPath[]; inspection_of: Map<HarmedPath, string> }> {
  const rows = await tx
    .selectFrom('inspections')
    .selectAll()
    .where((is) => is.and({ site_id: detection.scope.site_id, reason: 'precondition' }))
    .where('queued_at', '>', detection.as_of - INSPECTED_AGAIN_AFTER_MS)
    .orderBy('queued_at')
    .execute()
  const known = new Map(rows.map((row) => [targetOf(row), row]))
  const inspection_of = new Map<HarmedPath, string>()
  const missing = new Map<string, HarmedPath>()
  for (const path of undecided) {
    const row = known.get(targetOf(asTarget(path)))
    if (row === undefined) missing.set(targetOf(asTarget(path)), missing.get(targetOf(asTarget(path))) ?? path)
    const result = row === undefined ? null : resultOf(row)
    if (row === undefined || result === null) continue
    const counts = path.harm === 'redirects' ? meetsRedirects(result) : result.as_ourselves?.is_served === true
    if (counts) inspection_of.set(path, row.id)
  }
  const waiting = rows.filter(({ state }) => state === 'queued' || state === 'running').length
  const next = [...missing.values()].slice(0, Math.max(0, MAX_WAITING - waiting))
  await queueInspections(
    tx,
    next.map((path) => ({
      ...asTarget(path),
      site_id: detection.scope.site_id,
      reason: 'precondition' as const,
      issue_id: null,
      weight: path.harmful,
    })),
    detection.as_of,
  )
  return { harmed: [...inspection_of.keys()], inspection_of }
}

/** Redirects are followed as the crawler; whether a page is open is checked with Spoor's own agent. */
const asTarget = ({ host, path, crawler_id, harm }: HarmedPath) => ({
  host,
  path,
  crawler_id: harm === 'redirects' ? crawler_id : null,
})
const targetOf = ({ host, path, crawler_id }: { host: string; path: string; crawler_id: string | null }) =>
  JSON.stringify([host, path, crawler_id])

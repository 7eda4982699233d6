/** Paths at which crawlers meet the rule, and which of them may open an issue (rules 8.1). */
import { DAY_MS } from '#clock.ts'
import type { ControlDb } from '#control/store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { utcDay } from '#days/utc-day.ts'
import { findBuilds } from '#derived/builds.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { queueInspections, resultOf } from '#inspections/queue.ts'
import type { DetectionScope } from './detection-scope.ts'
import type { HarmedPath } from './group-units.ts'
import { harmedPages } from './harmed-pages.sql.ts'
import { isKnownOpen, PRIOR_DAYS, type PriorUse, ruleFrom, wasInUse } from './harms.ts'
import { meetsRedirects } from './inspections-of-issues.ts'
import { namesOfPages, priorPageviews, priorSuccesses } from './page-outcomes.sql.ts'

/** What one detection looks at; more harmed paths of a site are not distinguished. */
const MAX_PATHS = 20_000
/** Ids in one statement. */
export const IDS_AT_ONCE = 5_000
/** A detection that needs more memory than one statement may use is made in more and more parts. */
const PARTS = [1, 8, 64]

/**
 * Every unit of one path that meets the rule, the most harmed first.
 * @param changed_days only paths with harm on one of these days; null: on any.
 */
export async function findHarmedPaths(
  ctx: CrawlerContext,
  of: DetectionScope,
  changed_days: readonly string[] | null,
): Promise<HarmedPath[]> {
  if (of.scope.builds.length === 0) return []
  const found = await inFewParts(ctx, of, changed_days)
  const names = new Map<string, { host: string; path: string }>()
  for (const page_ids of chunks([...new Set(found.map(({ page_id }) => page_id))])) {
    for (const { page_id, ...name } of await ctx.evidence.all(namesOfPages(of.scope.site_id, page_ids)))
      names.set(page_id, name)
  }
  return found.flatMap(({ total_units: _total, ...unit }) => {
    const name = names.get(unit.page_id)
    // A crawler that the registry no longer knows, and a page whose facts are being deleted, are in no issue.
    return name === undefined || of.registry.entry(unit.crawler_id) === undefined ? [] : [{ ...unit, ...name }]
  })
}

async function inFewParts(ctx: CrawlerContext, of: DetectionScope, changed_days: readonly string[] | null) {
  const from = ruleFrom(of.as_of)
  for (const count of PARTS) {
    try {
      const found = []
      for (let index = 0; index < count; index++) {
        found.push(
          ...(await ctx.evidence.all(
            harmedPages(of, { from, limit: MAX_PATHS, changed_days, part: { index, of: count } }),
          )),
        )
      }
      return found.sort((a, b) => b.harmful - a.harmful).slice(0, MAX_PATHS)
    } catch (error) {
      if (!(error instanceof EvidenceError) || error.kind !== 'memory' || count === PARTS.at(-1)) throw error
    }
  }
  return []
}

export interface Judged {
  /** Paths whose harm counts. */
  harmed: HarmedPath[]
  /** Paths of which an inspection decides, the most harmed first. */
  undecided: HarmedPath[]
}

/** Sorts paths by what was known of them before their harm: in use, open, or for an inspection to decide. */
export async function judgePaths(
  ctx: CrawlerContext,
  of: DetectionScope,
  paths: readonly HarmedPath[],
): Promise<Judged> {
  const asked = paths.filter(({ harm }) => harm === 'refused' || harm === 'gone')
  const prior = await readPriorUse(ctx, of, asked)
  const judged: Judged = { harmed: [], undecided: [] }
  for (const path of paths) {
    const use = prior.get(path)
    if (path.harm === 'redirects') judged.undecided.push(path)
    else if (use === undefined || (path.harm === 'gone' && wasInUse(use))) judged.harmed.push(path)
    else if (path.harm === 'refused') {
      if (isKnownOpen(use, path.is_login_asked === 1)) judged.harmed.push(path)
      else judged.undecided.push(path)
    }
  }
  return judged
}

async function readPriorUse(
  ctx: CrawlerContext,
  of: DetectionScope,
  paths: readonly HarmedPath[],
): Promise<Map<HarmedPath, PriorUse>> {
  const uses = new Map<HarmedPath, PriorUse>()
  if (paths.length === 0) return uses
  const from = firstPriorDay(Math.min(...paths.map(({ first_ms }) => first_ms)))
  const builds = await findBuilds(ctx.control.db, 'sessions', of.scope.site_id, { from, to: utcDay(of.as_of) })
  for (const some of chunks(paths)) {
    const ids = [...new Set(some.map(({ page_id }) => page_id))]
    const successes = Map.groupBy(await ctx.evidence.all(priorSuccesses(of, ids, from)), ({ page_id }) => page_id)
    const views =
      builds.length === 0
        ? new Map<string, { day: string; pageviews: number }[]>()
        : Map.groupBy(await ctx.evidence.all(priorPageviews(of.scope.site_id, builds, ids)), ({ page_id }) => page_id)
    for (const path of some) {
      const since = firstPriorDay(path.first_ms)
      const before = (successes.get(path.page_id) ?? []).filter(
        ({ day, first_ms }) => day >= since && first_ms < path.first_ms,
      )
      const seen = (views.get(path.page_id) ?? []).filter(({ day }) => day >= since && day < path.first_day)
      const answered = before.filter((row) => row.successes > 0)
      uses.set(path, {
        success_days: before.map(({ day }) => day),
        successes: answered.reduce((sum, row) => sum + row.successes, 0),
        pageview_days: seen.map(({ day }) => day),
        pageviews: seen.reduce((sum, row) => sum + row.pageviews, 0),
      })
    }
  }
  return uses
}

const firstPriorDay = (instant: number) => utcDay(instant - PRIOR_DAYS * DAY_MS)

/** A path is inspected for a precondition once in this time. */
const ASKED_AGAIN_AFTER_MS = 7 * DAY_MS
/** Waiting inspections of a site for preconditions; more wait for the next detection. */
const MAX_WAITING = 100

/** Of undecided paths those that inspections have decided; the others are queued for one, the most harmed first. */
export async function askUndecided(
  tx: ControlDb,
  of: DetectionScope,
  undecided: readonly HarmedPath[],
): Promise<{ harmed: HarmedPath[]; inspection_of: Map<HarmedPath, string> }> {
  const rows = await tx
    .selectFrom('inspections')
    .selectAll()
    .where((is) => is.and({ site_id: of.scope.site_id, reason: 'precondition' }))
    .where('queued_at', '>', of.as_of - ASKED_AGAIN_AFTER_MS)
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
      ...{ site_id: of.scope.site_id, reason: 'precondition' as const, issue_id: null, weight: path.harmful },
    })),
    of.as_of,
  )
  return { harmed: [...inspection_of.keys()], inspection_of }
}

/** Redirects are followed as the crawler; whether a page is open is asked as ourselves alone. */
const asTarget = ({ host, path, crawler_id, harm }: HarmedPath) => ({
  ...{ host, path },
  crawler_id: harm === 'redirects' ? crawler_id : null,
})
const targetOf = ({ host, path, crawler_id }: { host: string; path: string; crawler_id: string | null }) =>
  JSON.stringify([host, path, crawler_id])

/** Lists that statements bear. */
export function* chunks<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += IDS_AT_ONCE) yield items.slice(at, at + IDS_AT_ONCE)
}

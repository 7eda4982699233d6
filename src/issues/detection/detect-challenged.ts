/** Challenges behind a 200 or 202, which no log shows: inspections find them (rules 8.1, challenged). */
import { DAY_MS } from '#clock.ts'
import type { InspectionRow, IntendedMarkRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { utcDay } from '#days/utc-day.ts'
import { queueInspections, resultOf } from '#inspections/queue.ts'
import type { DetectionScope } from '../evidence/detection-scope.ts'
import { type FollowedIssue, timelineUnit } from '../evidence/evidence-of-issue.ts'
import { findFindings, readPageInspections } from '../evidence/inspections-of-issues.ts'
import { daysAround, outcomesOf } from '../evidence/later-evidence.ts'
import { pagesNamed } from '../evidence/named-pages.sql.ts'
import type { PageOutcome } from '../evidence/page-outcomes.sql.ts'
import { exactDays, readOutcomes } from '../evidence/read-outcomes.ts'
import { readFollowed, readMarks } from '../followed-issues.ts'
import { meetsRule, ruleFrom, totalRequests } from '../harms.ts'
import { intendedUntil, isIntended } from '../intended/match-marks.ts'
import { advanceInspected, type InspectedHarm, readFollowedOutcomes } from '../lifecycle/advance-inspected.ts'
import { harmfulDays } from '../texts/describe-group.ts'
import { refsByStatus } from '../texts/evidence-refs.ts'
import { periodText, titleText } from '../texts/title.ts'
import { keyOfPath } from '../unit.ts'
import {
  CHALLENGED_STATUSES,
  type ChallengedRun,
  challengeBegan,
  challengeBehindSuccess,
  challengeChecks,
  challengedRun,
  MIN_CHALLENGED_MS,
} from './challenged-pages.ts'
import { type Opening, openWithinDay } from './open-issue-once.ts'

/** Older inspections say nothing about the current state. */
const LOOK_BACK_MS = 7 * DAY_MS
/** A challenged page is inspected as this many crawlers, those with the most requests. */
const MAX_CRAWLERS = 3

/** Advances issues about challenged pages, and opens new ones. */
export async function detectChallenged(ctx: CrawlerContext, detection: DetectionScope): Promise<void> {
  const rows = await readPageInspections(ctx.control.db, detection.scope.site_id, detection.as_of - LOOK_BACK_MS)
  await advanceChallenged(ctx, detection, rows)
  const targets = [...Map.groupBy(rows, targetOf).values()].map((own) => ({
    target: own[0] as InspectionRow,
    run: challengedRun(challengeChecks(own)),
  }))
  const challenged = targets.filter(({ run, target }) => run !== null && target.crawler_id !== null)
  const asked = newestOf(rows).filter((row) => challengeBehindSuccess(resultOf(row)?.as_ourselves ?? null).length > 0)
  if (challenged.length + asked.length === 0) return
  const named = await ctx.evidence.all(
    pagesNamed(detection.scope.site_id, [...challenged.map(({ target }) => target), ...asked]),
  )
  const pageOf = ({ host, path }: { host: string; path: string }) =>
    named.find((page) => page.host === host && page.path === path)?.page_id
  const outcomes = await readOutcomes(
    ctx,
    detection,
    named.map(({ page_id }) => page_id),
    ruleFrom(detection.as_of),
  )
  const marks = await readMarks(ctx.control.db, detection.scope.site_id)
  for (const { target, run } of challenged) {
    const page_id = pageOf(target)
    if (run === null || page_id === undefined) continue
    const unclear = daysAround(outcomes.of([{ page_id }]), run.first.at)
    if (unclear.length > 0) await exactDays(ctx, detection, outcomes, unclear)
    const opening = openingOf(detection, { target, run, page_id, marks }, outcomes.of([{ page_id }]))
    if (opening !== null) await openWithinDay(ctx, detection, opening)
  }
  for (const row of asked) {
    const page_id = pageOf(row)
    if (page_id !== undefined) await inspectAsCrawlers(ctx, detection, { row, rows }, outcomes.of([{ page_id }]))
  }
}

/** Identifies a page and a crawler. */
const targetOf = ({ host, path, crawler_id }: Pick<InspectionRow, 'host' | 'path' | 'crawler_id'>) =>
  JSON.stringify([host, path, crawler_id])

/** The newest inspection of each page that was carried out. */
function newestOf(rows: readonly InspectionRow[]): InspectionRow[] {
  const made = rows.filter(({ state }) => state === 'done')
  return [...new Map(made.map((row) => [JSON.stringify([row.host, row.path]), row])).values()]
}

interface ChallengedTarget {
  target: InspectionRow
  run: ChallengedRun
  page_id: string
  marks: readonly IntendedMarkRow[]
}

/** The issue that opens if the crawler's requests since the first inspection meet the rule; else null. */
function openingOf(
  detection: DetectionScope,
  { target: { host, path, crawler_id }, run, page_id, marks }: ChallengedTarget,
  outcomes: readonly PageOutcome[],
): Opening | null {
  const crawler = crawler_id === null ? undefined : detection.registry.entry(crawler_id)
  if (crawler === undefined || crawler_id === null) return null
  const path_key = keyOfPath(path)
  const found = { host, path, crawler_id, harm: 'challenged' as const }
  if (isIntended(marks, found)) return null
  const since = Math.max(run.first.at, intendedUntil(marks, found))
  const own = outcomes.filter((one) => one.crawler_id === crawler_id && one.first_ms >= since)
  for (const vantage of ['origin', 'edge'] as const) {
    const seen = own.filter((one) => one.vantage === vantage)
    const harmful = seen.filter(({ status, by_edge }) => by_edge === 0 && CHALLENGED_STATUSES.includes(status))
    const counts = { harmful: totalRequests(harmful), observed: totalRequests(seen) }
    if (!meetsRule(counts)) continue
    const days = harmful.map(({ day }) => day).sort()
    const window = { from: days[0] as string, to: days.at(-1) as string }
    const statuses = [...new Set(harmful.map(({ status }) => status))].sort((a, b) => a - b)
    const rank = Math.min(...harmful.map((one) => one.rank))
    const name = rank > 1 ? crawler.display_name : `Requests naming ${crawler.display_name}`
    const member = {
      host,
      path,
      page_id,
      crawler_id,
      vantage,
      ...counts,
      is_login_asked: 0,
      rank,
      first_day: window.from,
      last_day: window.to,
      last_ms: Math.max(...harmful.map(({ last_ms }) => last_ms)),
      first_ms: Math.min(...harmful.map(({ first_ms }) => first_ms)),
    }
    return {
      group: { host, path_key, crawler_id, vantage, harm: 'challenged', members: [member] },
      text: {
        title:
          `${name} got ${statuses.join(', ')} on ${counts.harmful} of ${counts.observed} observed requests to ` +
          `${titleText(`${host}${path_key}`)}, ${periodText(window)}; ${metText(run)}`,
        cause: 'waf_or_challenge',
        confidence: 'low',
        description: null,
        fix_prompt: FIX_PROMPT,
        evidence_refs: [
          ...refsByStatus({ ...detection, host, path_key, window: `${window.from}/${window.to}` }, harmful),
          { kind: 'inspection', id: run.first.inspection_id },
        ],
      },
      inspection_id: run.last.inspection_id,
      last_harm_at: run.last.at,
    }
  }
  return null
}

const metText = ({ first, last, signal }: ChallengedRun) =>
  `inspections as this crawler and as Spoor met a challenge of ${titleText(signal.vendor)}, ` +
  periodText({ from: utcDay(first.at), to: utcDay(last.at) })

const FIX_PROMPT =
  'Look at the bot and firewall settings of the CDN or WAF for what answers with a challenge page, and at its event log for this path. ' +
  'What proves the repair: an inspection without a challenge, and then 3 requests of the crawler with 2xx. ' +
  'Do not switch off protection for everybody: allow verified crawlers by the vendor’s published addresses.'

/** Queues two inspections as each of the crawlers that request a page which challenges Spoor, at most once a week. */
async function inspectAsCrawlers(
  ctx: CrawlerContext,
  detection: DetectionScope,
  { row: { host, path }, rows }: { row: InspectionRow; rows: readonly InspectionRow[] },
  outcomes: readonly PageOutcome[],
): Promise<void> {
  const served = outcomes.filter(({ status }) => CHALLENGED_STATUSES.includes(status))
  const crawlers = [...Map.groupBy(served, ({ crawler_id }) => crawler_id)]
    .map(([crawler_id, own]) => ({ crawler_id, weight: totalRequests(own) }))
    .filter(({ weight }) => meetsRule({ harmful: weight, observed: weight }))
    .sort((a, b) => b.weight - a.weight || (a.crawler_id < b.crawler_id ? -1 : 1))
    .slice(0, MAX_CRAWLERS)
  const known = new Set(rows.map(targetOf))
  const inputs = crawlers
    .filter(({ crawler_id }) => !known.has(targetOf({ host, path, crawler_id })))
    .flatMap(({ crawler_id, weight }) =>
      [0, MIN_CHALLENGED_MS + DELAY_MS].map((delay) => ({
        site_id: detection.scope.site_id,
        host,
        path,
        crawler_id,
        reason: 'precondition' as const,
        issue_id: null,
        weight,
        due_at: detection.as_of + delay,
      })),
    )
  if (inputs.length > 0) await ctx.control.transaction((tx) => queueInspections(tx, inputs, detection.as_of))
}

/** The first inspection may be delayed this long, and the two are still an hour apart. */
const DELAY_MS = 600_000

async function advanceChallenged(
  ctx: CrawlerContext,
  detection: DetectionScope,
  rows: readonly InspectionRow[],
): Promise<void> {
  const followed = await readFollowed(ctx.control.db, detection.scope.site_id, ['challenged'])
  if (followed.length === 0) return
  const inspected = await findFindings(ctx.control.db, followed)
  const byTarget = Map.groupBy(rows, targetOf)
  const outcomes = await readFollowedOutcomes(ctx, detection, followed)
  for (const one of followed) {
    const { issue, members } = one
    const planned = inspected.get(issue.id) ?? { newest: null, next_due_at: null }
    const [member] = members
    if (member === undefined) continue
    const target = { host: issue.host, path: member.path, crawler_id: issue.crawler_id } as InspectionRow
    const checks = challengeChecks(byTarget.get(targetOf(target)) ?? [])
    const met = checks.findLast(({ signals, at }) => signals.length > 0 && at > issue.opened_at)
    const run = challengedRun(checks, issue.fix_detected_at ?? issue.opened_at)
    const began = challengeBegan(checks)
    const instants = [began, run?.first.at ?? null].filter((at) => at !== null)
    const unclear = instants.flatMap((at) => daysAround(outcomes.of([member]), at))
    if (unclear.length > 0) await exactDays(ctx, detection, outcomes, unclear)
    const marks: IntendedMarkRow[] = []
    const again =
      run === null ? null : openingOf(detection, { target, run, page_id: member.page_id, marks }, outcomes.of([member]))
    await advanceInspected(ctx, detection, one, {
      harm: {
        last_harm_at: met?.at ?? null,
        recent_harm_count: began === null ? 0 : recentHarm(detection, one, outcomes.of([member]), began),
        finding: planned.newest,
        anew: again === null || run === null ? null : anewOf(again, run),
      },
      planned,
      outcomes,
    })
  }
}

/** Requests on the days of the rule since inspections met the challenge, up to the first clean one. */
function recentHarm(
  { as_of }: DetectionScope,
  { issue, members }: FollowedIssue,
  outcomes: readonly PageOutcome[],
  since: number,
): number {
  const { clean_since } = issue
  const own = outcomesOf(timelineUnit({ issue, members }), outcomes).filter(
    ({ day, first_ms, status, by_edge }) =>
      day >= ruleFrom(as_of) &&
      first_ms >= since &&
      (clean_since === null || first_ms < clean_since) &&
      by_edge === 0 &&
      CHALLENGED_STATUSES.includes(status),
  )
  return totalRequests(own)
}

/** What an issue says whose challenge is back: the same as a new one. */
function anewOf({ group: { members }, text }: Opening, run: ChallengedRun): NonNullable<InspectedHarm['anew']> {
  const days = harmfulDays({ members })
  return {
    columns: {
      title: text.title,
      evidence_from: days.from,
      evidence_to: days.to,
      weakest_identity: Math.min(...members.map(({ rank }) => rank)),
    },
    refs: [...text.evidence_refs, { kind: 'inspection', id: run.last.inspection_id }],
    inspection_id: run.last.inspection_id,
  }
}

/** Unreachable hosts: Spoor's inspections fail, and no crawler is answered (rules 8.1, unreachable). */
import { DAY_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { InspectionRow, IssueRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { utcDay } from '#days/utc-day.ts'
import type { Row } from '#evidence/sql.ts'
import { queueInspections } from '#inspections/queue.ts'
import type { DetectionScope } from '../evidence/detection-scope.ts'
import { hostAnswers } from '../evidence/host-answers.sql.ts'
import { nextInspectionAt, readPageInspections } from '../evidence/inspections-of-issues.ts'
import { readMarks } from '../followed-issues.ts'
import { ruleFrom } from '../harms.ts'
import { intendedUntil, isIntended } from '../intended/match-marks.ts'
import { type Advanced, advance, type InspectionFinding, openLife } from '../lifecycle/lifecycle.ts'
import { recordChange } from '../lifecycle/record-change.ts'
import { endColumns, lifeOf, writeIssue } from '../lifecycle/write-issue.ts'
import { addEvidence } from '../texts/evidence-refs.ts'
import { periodText, titleText } from '../texts/title.ts'
import { insertOnce, withPrevious } from './open-issue-once.ts'
import {
  causeOfStage,
  type FailingRun,
  failingRun,
  type HostCheck,
  hostChecksOf,
  isLongEnough,
  MIN_RUN_MS,
} from './unreachable-hosts.ts'

type HostAnswer = Row<ReturnType<typeof hostAnswers>>

/** Older inspections say nothing about the current state. */
const LOOK_BACK_MS = 7 * DAY_MS

/** Advances issues about unreachable hosts, and opens new ones. */
export async function detectUnreachable(ctx: CrawlerContext, detection: DetectionScope): Promise<void> {
  const { db } = ctx.control
  const issues: IssueRow[] = await db
    .selectFrom('issues')
    .selectAll()
    .where((is) => is.and({ site_id: detection.scope.site_id, harm: 'unreachable' }))
    .where('unit', 'is not', null)
    .execute()
  const rows = await readPageInspections(db, detection.scope.site_id, detection.as_of - LOOK_BACK_MS)
  const byHost = Map.groupBy(rows, ({ host }) => host)
  const failing = [...byHost].filter(([, own]) => failingRun(hostChecksOf(own)) !== null).map(([host]) => host)
  const hosts = [...new Set([...failing, ...issues.map(({ host }) => host)])]
  if (hosts.length === 0) return
  const known =
    detection.scope.builds.length === 0
      ? []
      : await ctx.evidence.all(hostAnswers(detection, hosts, ruleFrom(detection.as_of)))
  for (const host of hosts) {
    const own = byHost.get(host) ?? []
    const answers = known.filter((answer) => answer.host === host)
    const issue = issues.find((one) => one.host === host)
    const given = { host, inspections: own, checks: hostChecksOf(own), answers }
    if (issue === undefined) await openUnreachable(ctx, detection, given)
    else await advanceUnreachable(ctx, detection, issue, given)
  }
}

interface HostEvidence {
  host: string
  inspections: readonly InspectionRow[]
  checks: HostCheck[]
  answers: readonly HostAnswer[]
}

async function openUnreachable(ctx: CrawlerContext, detection: DetectionScope, given: HostEvidence): Promise<void> {
  const found = { host: given.host, path: null, crawler_id: null, harm: 'unreachable' as const }
  const marks = await readMarks(ctx.control.db, detection.scope.site_id)
  const run = isIntended(marks, found) ? null : failingRun(given.checks, intendedUntil(marks, found))
  if (run === null || given.answers.some(({ last_ms }) => last_ms > run.first.at)) return
  if (!(await isKnownHost(ctx, detection, given.host, run))) return
  await ctx.control.transaction(async (tx) => {
    if (!isLongEnough(run)) return queueNextInspection(tx, detection, given, run.first.at + MIN_RUN_MS)
    const unit = {
      site_id: detection.scope.site_id,
      host: given.host,
      path_key: null,
      crawler_id: null,
      harm: 'unreachable' as const,
    }
    const row = await insertOnce(tx, detection, unit, {
      vantage: 'origin',
      ...openLife(detection.as_of, run.last.at, 'yes'),
      ...textOf(given.host, run),
      confidence: 'low',
      member_count: 1,
      weakest_identity: 1,
      recent_harm_count: 0,
    })
    if (row === null) return
    await addEvidence(tx, row.id, refsOf(run))
    await recordChange(tx, detection, row, {
      at: detection.as_of,
      change: 'opened',
      inspection_id: run.last.inspection_id,
    })
  })
}

/** Whether the host was declared, or reached before over this scheme. Any other name may never have been a host. */
async function isKnownHost(
  ctx: CrawlerContext,
  detection: DetectionScope,
  host: string,
  run: FailingRun,
): Promise<boolean> {
  const declared = await ctx.control.db
    .selectFrom('coverage_intervals')
    .select('id')
    .where((is) => is.and({ site_id: detection.scope.site_id, host }))
    .limit(1)
    .executeTakeFirst()
  if (declared !== undefined) return true
  const earlier: InspectionRow[] = await ctx.control.db
    .selectFrom('inspections')
    .selectAll()
    .where((is) => is.and({ site_id: detection.scope.site_id, host, state: 'done' }))
    .where('ended_at', '<', run.first.at)
    .orderBy('ended_at', 'desc')
    .limit(100)
    .execute()
  return hostChecksOf(earlier).some((check) => check.failure === null && check.scheme === run.scheme)
}

async function advanceUnreachable(
  ctx: CrawlerContext,
  detection: DetectionScope,
  issue: IssueRow,
  given: HostEvidence,
): Promise<void> {
  const run = failingRun(given.checks, issue.fix_detected_at ?? issue.opened_at - LOOK_BACK_MS)
  const isHarmed = run !== null && isLongEnough(run) && !given.answers.some(({ last_ms }) => last_ms > run.first.at)
  const last_harm_at = run === null ? null : run.last.at
  const after = Math.max(
    issue.last_harm_at,
    last_harm_at ?? issue.last_harm_at,
    issue.fix_detected_at ?? issue.last_harm_at,
  )
  const success = given.answers.filter(({ is_success, last_ms }) => is_success === 1 && last_ms > after)
  const instants = success.map(({ first_ms, last_ms }) => (first_ms > after ? first_ms : last_ms))
  const newest = given.checks.at(-1)
  const finding: InspectionFinding | null =
    newest === undefined ? null : { at: newest.at, outcome: newest.failure === null ? 'clean' : 'harmed' }
  const evidence = {
    now: detection.as_of,
    last_harm_at,
    is_harmed_after_fix: issue.fix_detected_at !== null && isHarmed,
    organic_success_at: instants.length === 0 ? null : Math.min(...instants),
    is_quiet_day: false,
    is_refuted: false,
  }
  const before = lifeOf(issue)
  const advanced = advance(before, evidence, finding)
  await ctx.control.transaction(async (tx) => {
    if (JSON.stringify(before) !== JSON.stringify(advanced.life)) await write(tx, detection, issue, advanced, run)
    await queueNextInspection(tx, detection, given, nextInspection(advanced, run, given))
  })
}

async function write(
  tx: ControlTransaction,
  detection: DetectionScope,
  issue: IssueRow,
  { life, changes }: Advanced,
  run: FailingRun | null,
): Promise<void> {
  const isAnew = changes.includes('regressed') && run !== null
  const description = withPrevious(null, issue.previous_id)
  const columns = {
    ...life,
    ...(isAnew ? { ...textOf(issue.host, run), description, baseline: 'yes' as const } : {}),
    ...endColumns(life, detection.as_of),
  }
  if (!(await writeIssue(tx, issue, columns))) return
  if (isAnew) await addEvidence(tx, issue.id, refsOf(run))
  const inspection_id = run?.last.inspection_id ?? null
  for (const change of changes) await recordChange(tx, detection, issue, { at: detection.as_of, change, inspection_id })
}

/** The next inspection: 10 minutes after a first failure, then like those of the page of any issue (rules 8.3). */
function nextInspection(
  { life }: Advanced,
  run: FailingRun | null,
  { checks, inspections }: HostEvidence,
): number | null {
  if (run !== null && !isLongEnough(run)) return run.first.at + MIN_RUN_MS
  if (life.state !== 'open' && life.state !== 'regressed') return null
  // Inspections during an outage of Spoor's own network count here, too: otherwise the next one would follow at once.
  const at = Math.max(life.opened_at, ...inspections.flatMap(({ ended_at }) => ended_at ?? []))
  return nextInspectionAt(life, { at, outcome: checks.at(-1)?.failure === null ? 'clean' : 'harmed' })
}

/** Queues another inspection of the home page, unless one is waiting. */
async function queueNextInspection(
  tx: ControlTransaction,
  detection: DetectionScope,
  given: HostEvidence,
  at: number | null,
): Promise<void> {
  const isWaiting = given.inspections.some(
    ({ state, path }) => path === '/' && (state === 'queued' || state === 'running'),
  )
  if (at === null || isWaiting) return
  const target = { site_id: detection.scope.site_id, host: given.host, path: '/', crawler_id: null, issue_id: null }
  await queueInspections(
    tx,
    [{ ...target, reason: 'follow_up', due_at: Math.max(at, detection.as_of) }],
    detection.as_of,
  )
}

const STAGES = { name: 'at the name', certificate: 'at the certificate', connection: 'at the connection' } as const
const PLACES: Readonly<Record<string, string>> = {
  dns: 'Look at the DNS records of this host at its provider, its name servers, and DNSSEC. What proves the repair: a crawler is served again.',
  tls: 'Look at the certificate of this host: its dates, names and chain, and at what should have renewed it. What proves the repair: a crawler is served again.',
}

/** The texts of an issue about a run of failures. */
function textOf(host: string, run: FailingRun) {
  const [from, to] = [utcDay(run.first.at), utcDay(run.last.at)]
  const cause = causeOfStage(run.stage)
  return {
    title: `Inspections of ${titleText(host)} over ${run.scheme} failed ${STAGES[run.stage]} (${titleText(run.code)}), ${periodText({ from, to })}`,
    cause,
    description: null,
    fix_prompt: PLACES[cause] ?? null,
    evidence_from: from,
    evidence_to: to,
  }
}

const refsOf = (run: FailingRun) => run.inspection_ids.map((id) => ({ kind: 'inspection' as const, id }))

/** The results of inspections for issues, and when the next ones are due (rules 8.3). */
import { randomUUID } from 'node:crypto'
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { ControlDb } from '#control/store.ts'
import type { InspectionReason, InspectionRow, IssueRow } from '#control/tables.ts'
import { causeOfErrorCode } from '#inspections/edge-error-codes.ts'
import { queueInspections, resultOf } from '#inspections/queue.ts'
import type { InspectionFinding } from '../lifecycle/lifecycle.ts'
import type { IssueCause } from '../texts/status-causes.ts'

/** The joint result of one round of inspections. */
export interface IssueFinding extends InspectionFinding {
  inspection_id: string
  /** One of them met a decisive challenge signal behind a success status: then a 2xx in a log is not a success. */
  is_challenged_success: boolean
  /** The decision of robots.txt about its pages for its crawlers. */
  robots: 'allowed' | 'disallowed' | 'unknown'
  /** The cause that the reproducing inspection found; null if it found none. */
  cause: IssueCause | null
}

/** The most members of a prefix that are inspected. */
export const MAX_INSPECTED_MEMBERS = 3

/** The inspections of an issue since it opened or regressed. */
export interface InspectedIssue {
  newest: IssueFinding | null
  /** When its next inspection is due; null: none is planned. */
  next_due_at: number | null
}

/** Inspections of a site's pages that were queued after an instant, in the order in which they ended. */
export async function readPageInspections(db: ControlDb, site_id: string, since: number): Promise<InspectionRow[]> {
  return db
    .selectFrom('inspections')
    .selectAll()
    .where((is) => is.and({ site_id, kind: 'page' }))
    .where('queued_at', '>', since)
    .orderBy('ended_at')
    .execute()
}

/** The newest finding and the next due inspection of each issue, by its id. */
export async function findFindings(
  db: ControlDb,
  followed: readonly { issue: Pick<IssueRow, 'id' | 'opened_at'> }[],
): Promise<Map<string, InspectedIssue>> {
  const found = new Map<string, InspectedIssue>()
  for (let at = 0; at < followed.length; at += AT_ONCE) {
    const some = followed.slice(at, at + AT_ONCE).map(({ issue }) => issue)
    const rows = await db
      .selectFrom('inspections')
      .selectAll()
      .where('kind', '=', 'page')
      .where(
        'issue_id',
        'in',
        some.map(({ id }) => id),
      )
      .orderBy('queued_at')
      .orderBy('id')
      .execute()
    const byIssue = Map.groupBy(rows, ({ issue_id }) => issue_id)
    for (const { id, opened_at } of some) {
      const own = (byIssue.get(id) ?? []).filter(({ queued_at }) => queued_at >= opened_at)
      const rounds = [...Map.groupBy(own, ({ round_id }) => round_id).values()]
      const findings = rounds.flatMap((round) => findingOf(round) ?? []).sort((a, b) => a.at - b.at)
      const waiting = own.filter(({ state }) => state === 'queued' || state === 'running')
      found.set(id, {
        newest: findings.at(-1) ?? null,
        next_due_at: waiting.length === 0 ? null : Math.min(...waiting.map(({ due_at }) => due_at)),
      })
    }
  }
  return found
}

const AT_ONCE = 200

/** The joint result of a round; null until all of its inspections have ended. */
export function findingOf(round: readonly InspectionRow[]): IssueFinding | null {
  if (round.length === 0 || round.some(({ state }) => state === 'queued' || state === 'running')) return null
  const results = round.map(resultOf)
  const ended = round.map(({ ended_at, queued_at }) => ended_at ?? queued_at)
  const reproducing = results.find((result) => result?.reproduced === 'yes')
  return {
    inspection_id: (round.find(({ reproduced }) => reproduced === 'yes') ?? (round[0] as InspectionRow)).id,
    at: Math.max(...ended),
    outcome: outcomeOf(round),
    is_challenged_success: results.some(
      (result) => result?.as_crawler?.challenge.state === 'detected' && isSuccessStatus(result.as_crawler.final_status),
    ),
    robots: robotsOf(results.map((result) => result?.robots.verdict?.decision)),
    cause: reproducing === undefined || reproducing === null ? null : causeOf(reproducing),
  }
}

function robotsOf(decisions: readonly (string | undefined)[]): IssueFinding['robots'] {
  if (decisions.includes('disallowed')) return 'disallowed'
  return decisions.every((decision) => decision === 'allowed') ? 'allowed' : 'unknown'
}

const isSuccessStatus = (status: number | null) => status !== null && status >= 200 && status < 300

function outcomeOf(round: readonly InspectionRow[]): InspectionFinding['outcome'] {
  const made = round.filter(({ state }) => state === 'done')
  const results = made.flatMap((row) => resultOf(row) ?? [])
  if (made.some(({ reproduced }) => reproduced === 'yes')) return 'harmed'
  const unsure = results.filter(({ reproduced }) => reproduced === 'unknown')
  if (unsure.some(({ as_ourselves }) => as_ourselves?.is_served === true)) return 'served_to_us_only'
  if (unsure.length > 0) return unsure.some(({ unreachable }) => unreachable !== null) ? 'inconclusive' : 'not_possible'
  const left_out = round.filter(({ state }) => state !== 'done')
  const isAllowedOrUnknown = ({ is_clean, robots: { verdict } }: PageResult) =>
    is_clean || verdict?.decision === 'unknown'
  if (left_out.some(({ obstacle }) => obstacle !== 'not_possible') || !results.every(isAllowedOrUnknown))
    return 'inconclusive'
  // Some of its pages are never fetched, and the others do not show whether these are served.
  if (left_out.length > 0) return 'not_possible'
  return made.every(({ is_clean }) => is_clean === 1) ? 'clean' : 'served'
}

type PageResult = NonNullable<ReturnType<typeof resultOf>>

/** More hops than this are a chain. */
const MAX_HOPS = 3

/** Whether an inspection met a loop or a chain of redirects. */
export const meetsRedirects = ({ as_crawler, as_ourselves }: PageResult): boolean =>
  [as_crawler, as_ourselves].some(
    (visit) =>
      visit !== null &&
      (visit.state === 'loop' || visit.state === 'too_many_redirects' || visit.hops.length - 1 > MAX_HOPS),
  )

function causeOf(result: PageResult): IssueCause | null {
  if (result.unreachable?.stage === 'name') return 'dns'
  if (result.unreachable?.stage === 'certificate') return 'tls'
  const challenge = result.as_crawler?.challenge
  if (challenge?.state === 'detected') return 'waf_or_challenge'
  if (meetsRedirects(result)) return 'redirect_chain'
  return challenge?.error_code == null ? null : causeOfErrorCode(challenge.error_code)
}

/** Queues one round of inspections of an issue: of its page, or of the first members of its prefix. */
export async function inspectIssue(
  db: ControlDb,
  issue: Pick<IssueRow, 'id' | 'site_id' | 'host' | 'recent_harm_count'>,
  members: readonly { path: string; crawler_id: string | null }[],
  { reason, now, due_at = now }: { reason: InspectionReason; now: number; due_at?: number },
): Promise<InspectionRow[]> {
  const round_id = randomUUID()
  const distinct = [...Map.groupBy(members, ({ path }) => path).values()].flatMap(([first]) => first ?? [])
  const inputs = distinct.slice(0, MAX_INSPECTED_MEMBERS).map(({ path, crawler_id }) => ({
    site_id: issue.site_id,
    host: issue.host,
    path,
    crawler_id,
    reason,
    issue_id: issue.id,
    round_id,
    weight: issue.recent_harm_count,
    due_at,
  }))
  return queueInspections(db, inputs, now)
}

const FOLLOW_UPS_MS = [HOUR_MS, 6 * HOUR_MS, DAY_MS]

/**
 * When an open or regressed issue is inspected next: 1, 6 and 24 hours after it opened, then daily; and an hour after a
 * clean inspection, because recent harm needs two clean ones.
 */
export function nextInspectionAt(
  { opened_at, last_harm_at }: Pick<IssueRow, 'opened_at' | 'last_harm_at'>,
  newest: Pick<IssueFinding, 'at' | 'outcome'>,
): number {
  if (newest.outcome === 'clean' && newest.at - last_harm_at < DAY_MS) return newest.at + HOUR_MS
  const planned = FOLLOW_UPS_MS.map((after) => opened_at + after).find((at) => at > newest.at)
  return planned ?? newest.at + DAY_MS
}

/**
 * The instant for which to queue the next inspection of an open or regressed issue; null: do not queue it yet. An
 * inspection of a page that is never fetched ends at once, so it is queued only when it is due: otherwise each
 * detection would queue it again.
 */
export function followUpAt(
  issue: Pick<IssueRow, 'opened_at' | 'last_harm_at'>,
  newest: Pick<IssueFinding, 'at' | 'outcome'>,
  now: number,
): number | null {
  const due_at = Math.max(now, nextInspectionAt(issue, newest))
  return newest.outcome === 'not_possible' && due_at > now ? null : due_at
}

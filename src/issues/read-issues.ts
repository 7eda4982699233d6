/** getIssues: recorded issues, the worst first (spec 2.5, rules 8.2). */
import { sql } from 'kysely'
import { instantOrNull, instantText } from '#clock.ts'
import type { Issue, Issues, IssuesInput } from '#contract/site-api/index.ts'
import { type Harm, ISSUE_STATES, type LifeState } from '#contract/vocabulary.ts'
import type { ControlDb } from '#control/store.ts'
import type { IssueRow } from '#control/tables.ts'
import type { SiteContext } from '#crawlers/context.ts'
import type { IssueCause } from './texts/status-causes.ts'

/** Regressed, open, detected fixes, confirmed ones; then by confidence, harmful requests, detection and id. */
export async function readIssues(ctx: Pick<SiteContext, 'control' | 'site'>, input: IssuesInput): Promise<Issues> {
  return ctx.control.snapshot(async (tx) => {
    const { total } = await listed(tx, ctx.site.id)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    const rows = await listed(tx, ctx.site.id)
      .selectAll()
      .orderBy(STATE_ORDER)
      .orderBy(CONFIDENCE_ORDER)
      .orderBy('recent_harm_count', 'desc')
      .orderBy('detected_at')
      .orderBy('id')
      .limit(input.limit)
      .execute()
    const total_count = Number(total)
    return {
      limit: input.limit,
      returned_count: rows.length,
      total_count,
      truncated: total_count > rows.length,
      issues: (await describeIssues(tx, rows)).map(listedIssue),
    }
  })
}

const listed = (db: ControlDb, site_id: string) =>
  db
    .selectFrom('issues')
    .where('site_id', '=', site_id)
    .where('state', 'in', [...ISSUE_STATES])

/** The worst first. */
export const STATE_ORDER = sql`CASE WHEN state = 'regressed' THEN 0 WHEN state = 'open' THEN 1 WHEN fix_confirmed_at IS NULL THEN 2 ELSE 3 END`
export const CONFIDENCE_ORDER = sql`CASE confidence WHEN 'high' THEN 0 WHEN 'medium' THEN 1 ELSE 2 END`

/** An issue in the form of answers, listed or ended. */
export type DescribedIssue = Omit<Issue, 'state'> & { state: LifeState }

/** A listed issue; answers have no other states (spec 3). @throws Error for another state, which is a bug. */
export function listedIssue(issue: DescribedIssue): Issue {
  const state = ISSUE_STATES.find((listed) => listed === issue.state)
  if (state === undefined) throw new Error(`issue ${issue.id} is ${issue.state}, and not listed`)
  return { ...issue, state }
}

/** Issues in the form of answers, in the order of their rows. */
export async function describeIssues(db: ControlDb, rows: readonly IssueRow[]): Promise<DescribedIssue[]> {
  if (rows.length === 0) return []
  const refs = await db
    .selectFrom('issue_evidence')
    .selectAll()
    .where(
      'issue_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('issue_id')
    .orderBy('position')
    .execute()
  const byIssue = Map.groupBy(refs, ({ issue_id }) => issue_id)
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    state: row.state,
    cause: row.cause as IssueCause,
    confidence: row.confidence,
    ...(row.description === null ? {} : { description: row.description }),
    path: row.path_key,
    crawler_id: row.crawler_id,
    detected_at: instantText(row.detected_at),
    fix_confirmed_at: instantOrNull(row.fix_confirmed_at),
    evidence_refs: (byIssue.get(row.id) ?? []).map(({ ref }) => JSON.parse(ref)),
    fix_prompt: row.fix_prompt,
    host: row.host,
    harm: row.harm as Harm,
  }))
}

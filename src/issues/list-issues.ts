/** Issues by state, including ended ones, and the number of each (decisions 7.4). */
import type { IssueList, IssueListInput } from '#contract/dashboard-api/index.ts'
import { LIFE_STATES } from '#contract/vocabulary.ts'
import type { ControlDb } from '#control/store.ts'
import type { SiteContext } from '#crawlers/context.ts'
import { readImpostorRefusals } from './detection/impostor-refusals.ts'
import { CONFIDENCE_ORDER, describeIssues, STATE_ORDER } from './read-issues.ts'

/** Left out, `state` is every state. */
export async function listIssuesByState(
  ctx: Pick<SiteContext, 'control' | 'site'>,
  { state = [...LIFE_STATES], limit, offset }: IssueListInput,
): Promise<IssueList> {
  const site_id = ctx.site.id
  return ctx.control.snapshot(async (tx) => {
    const counts = await tx
      .selectFrom('issues')
      .select(['state', (eb) => eb.fn.countAll<number>().as('issues')])
      .where('site_id', '=', site_id)
      .groupBy('state')
      .execute()
    const countOf = new Map(counts.map((row) => [row.state, Number(row.issues)]))
    const rows = await tx
      .selectFrom('issues')
      .selectAll()
      .where('site_id', '=', site_id)
      .where('state', 'in', state)
      .orderBy(STATE_ORDER)
      .orderBy(CONFIDENCE_ORDER)
      .orderBy('recent_harm_count', 'desc')
      .orderBy('detected_at')
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute()
    const total_count = counts.reduce((sum, row) => (state.includes(row.state) ? sum + Number(row.issues) : sum), 0)
    return {
      counts: LIFE_STATES.map((one) => ({ state: one, issues: countOf.get(one) ?? NONE })),
      limit,
      offset,
      returned_count: rows.length,
      total_count,
      truncated: total_count > offset + rows.length,
      issues: await describeIssues(tx, rows),
      impostor_refusals: await readImpostorRefusals(tx, site_id),
    }
  })
}

/** A state without a row has no issue, because every recorded issue was counted. */
const NONE = 0

/** The number of open and regressed issues of each of these sites. */
export async function countOpenIssues(
  db: ControlDb,
  site_ids: readonly string[],
): Promise<{ of(site_id: string): number }> {
  const rows =
    site_ids.length === 0
      ? []
      : await db
          .selectFrom('issues')
          .select(['site_id', (eb) => eb.fn.countAll<number>().as('issues')])
          .where('site_id', 'in', site_ids)
          .where('state', 'in', ['open', 'regressed'])
          .groupBy('site_id')
          .execute()
  const bySite = new Map(rows.map((row) => [row.site_id, Number(row.issues)]))
  return { of: (site_id) => bySite.get(site_id) ?? NONE }
}

/** Issues as operations of the command line and the dashboard. */

import { instantOrNull, instantText } from '#clock.ts'
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { Harm } from '#contract/vocabulary.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlDb } from '#control/store.ts'
import type { InspectionRow, IntendedMarkRow, IssueRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { quoted } from '#foreign-text.ts'
import type { Implementations } from '#implementation.ts'
import { Refusal } from '#refusal.ts'
import { belongsTo, normalizeHost } from '#sites/root-domain.ts'
import { readImpostorRefusals } from './detection/impostor-refusals.ts'
import { MAX_MEMBERS } from './detection/open-issue-once.ts'
import { findIssue } from './find-issue.ts'
import { readMarks } from './followed-issues.ts'
import { markIntended, revokeMark } from './intended/intended-marks.ts'
import { describeIssues, readIssues } from './read-issues.ts'
import { type Verification, verifyFix } from './verify-fix.ts'

interface Services extends ControlContext {
  is_clock_simulated: boolean
  crawlers(): Promise<CrawlerContext>
  verification: Verification
}

/** Under a simulated clock no page is inspected, so that an inspection would wait for ever. */
const neverInspected = () =>
  new Refusal(
    'not_built',
    'The service runs under a simulated clock (--clock), where no page is inspected, so nothing can be verified: start it without --clock ({next}).',
    { next: { step: 'serve' } },
  )

const DEFAULT_LIMIT = 50
const MAX_PATHS = 50

export const manageIssues: Implementations<
  ManagementOperationOf<
    'issue.list' | 'issue.show' | 'issue.verify' | 'issue.intended' | 'issue.intended_list' | 'issue.intended_revoke'
  >,
  Services
> = {
  async 'issue.list'(ctx, { limit = DEFAULT_LIMIT }) {
    const { total_count, issues } = await readIssues(ctx, { limit })
    const impostor_refusals = await readImpostorRefusals(ctx.control.db, ctx.site.id)
    return { total_count, issues, impostor_refusals }
  },

  async 'issue.show'(ctx, { issue: id }) {
    const { db } = ctx.control
    const row = await findIssue(db, ctx.site.id, id)
    const [issue] = await describeIssues(db, [row])
    if (issue === undefined) throw new Error(`issue ${row.id} was not described`)
    const members = await db
      .selectFrom('issue_members')
      .select('path')
      .distinct()
      .where('issue_id', '=', row.id)
      .orderBy('path')
      .limit(MAX_PATHS)
      .execute()
    const changes = await db
      .selectFrom('issue_changes')
      .selectAll()
      .where('issue_id', '=', row.id)
      .orderBy('at')
      // An issue may open and end at the same instant.
      .orderBy((eb) => eb.case().when('change', '=', 'opened').then(0).else(1).end())
      .orderBy('id')
      .execute()
    const inspections = await db
      .selectFrom('inspections')
      .selectAll()
      .where('issue_id', '=', row.id)
      .orderBy('queued_at')
      .orderBy('id')
      .execute()
    return {
      issue,
      ended_at: instantOrNull(row.ended_at),
      previous_id: row.previous_id,
      paths: members.map(({ path }) => path),
      path_count: await countPaths(db, row),
      changes: changes.map(({ at, change, inspection_id }) => ({ at: instantText(at), change, inspection_id })),
      inspections: inspections.map(describeInspection),
    }
  },

  async 'issue.verify'(ctx, { issue }) {
    if (ctx.is_clock_simulated) throw neverInspected()
    const services = { ...(await ctx.crawlers()), site: ctx.site, verification: ctx.verification }
    const verified = await verifyFix(services, { issue })
    const { inspection_id } = verified.verification
    const made =
      inspection_id === null
        ? undefined
        : await ctx.control.db
            .selectFrom('inspections')
            .selectAll()
            .where('id', '=', inspection_id)
            .where('site_id', '=', ctx.site.id)
            .executeTakeFirst()
    return { ...verified, inspection: made === undefined ? null : describeInspection(made) }
  },

  async 'issue.intended'(ctx, { host, path, harm, crawler }) {
    const marked = { host: hostOf(host, ctx.site.root_domain), path, harm }
    if (crawler !== undefined) await checkCrawler(await ctx.crawlers(), crawler)
    return describeMark(await markIntended(ctx, { site_id: ctx.site.id, ...marked, crawler_id: crawler ?? null }))
  },

  async 'issue.intended_list'(ctx) {
    return { marks: (await readMarks(ctx.control.db, ctx.site.id)).map(describeMark) }
  },

  async 'issue.intended_revoke'(ctx, { mark }) {
    return describeMark(await revokeMark(ctx, ctx.site.id, mark))
  },
}

/** The number of paths of an issue. Beyond the stored members, at least as many as when it opened. */
async function countPaths(db: ControlDb, { id, member_count }: IssueRow): Promise<number> {
  const { paths, members } = await db
    .selectFrom('issue_members')
    .select(({ fn }) => [fn.count('path').distinct().as('paths'), fn.countAll().as('members')])
    .where('issue_id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(members) < MAX_MEMBERS ? Number(paths) : Math.max(Number(paths), member_count)
}

/** The host as it is stored with evidence: a mark in another spelling would match nothing. */
function hostOf(given: string, root_domain: string): string {
  const host = normalizeHost(given)
  if (host !== null && belongsTo(host, root_domain)) return host
  throw new Refusal(
    'invalid_input',
    `The host is ${quoted(given)}; allowed is ${root_domain} or a name below it, such as www.${root_domain}.`,
  )
}

async function checkCrawler({ registries }: CrawlerContext, id: string): Promise<void> {
  const registry = await registries.current()
  if (registry.entry(id) !== undefined) return
  throw new Refusal(
    'not_found',
    `The registry has no crawler ${quoted(id)}: give an id such as gptbot. {next} shows the observed ones.`,
    { next: { step: 'report.crawlers' } },
  )
}

function describeMark({ id, host, path_key, crawler_id, harm, created_at, revoked_at }: IntendedMarkRow) {
  return {
    id,
    host,
    path_key,
    crawler_id,
    harm: harm as Harm,
    created_at: instantText(created_at),
    revoked_at: instantOrNull(revoked_at),
  }
}

function describeInspection({ id, reason, state, obstacle, due_at, ended_at, is_clean, reproduced }: InspectionRow) {
  return {
    id,
    reason,
    state,
    obstacle,
    reproduced,
    due_at: instantText(due_at),
    ended_at: instantOrNull(ended_at),
    is_clean: is_clean === null ? null : is_clean === 1,
  }
}

/** Reads the issues and intended marks of a site from the control store. */

import { type Harm, ISSUE_STATES } from '#contract/vocabulary.ts'
import type { ControlDb } from '#control/store.ts'
import type { IntendedMarkRow, IssueMemberRow, IssueRow } from '#control/tables.ts'
import type { FollowedIssue } from './evidence/evidence-of-issue.ts'
import { STATUS_HARMS } from './harms.ts'

/** The listed issues of these kinds of harm, by default those that statuses show, with their members. */
export async function readFollowed(
  db: ControlDb,
  site_id: string,
  harms: readonly Harm[] = STATUS_HARMS,
): Promise<FollowedIssue[]> {
  const issues: IssueRow[] = await db
    .selectFrom('issues')
    .selectAll()
    .where('site_id', '=', site_id)
    .where('state', 'in', [...ISSUE_STATES])
    .where('harm', 'in', [...harms])
    .orderBy('id')
    .execute()
  const members: IssueMemberRow[] = await db
    .selectFrom('issue_members')
    .innerJoin('issues', 'issues.id', 'issue_members.issue_id')
    .selectAll('issue_members')
    .where('issues.site_id', '=', site_id)
    .where('issues.state', 'in', [...ISSUE_STATES])
    .where('issues.harm', 'in', [...harms])
    .orderBy('issue_members.harmful', 'desc')
    .orderBy('page_id')
    .execute()
  const byIssue = Map.groupBy(members, ({ issue_id }) => issue_id)
  return issues.map((issue) => ({ issue, members: byIssue.get(issue.id) ?? [] }))
}

/** The intended marks of a site, revoked ones included. */
export const readMarks = (db: ControlDb, site_id: string): Promise<IntendedMarkRow[]> =>
  db
    .selectFrom('intended_marks')
    .selectAll()
    .where('site_id', '=', site_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

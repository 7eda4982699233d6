/** Opens each issue once, even if several processes detect it (rules 8.1, 8.2). */
import { randomUUID } from 'node:crypto'
import type { ControlTransaction } from '#control/store.ts'
import type { IssueRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import type { DetectionScope } from '../evidence/detection-scope.ts'
import { inspectIssue } from '../evidence/inspections-of-issues.ts'
import { openLife } from '../lifecycle/lifecycle.ts'
import { recordChange } from '../lifecycle/record-change.ts'
import { harmfulDays, type IssueText } from '../texts/describe-group.ts'
import { addEvidence } from '../texts/evidence-refs.ts'
import { type IssueUnit, unitText } from '../unit.ts'
import type { HarmedPath, OpeningGroup } from './group-units.ts'

export interface Opening {
  group: OpeningGroup
  text: IssueText
  /** The inspection that has reproduced the harm, if the harm requires one. */
  inspection_id: string | null
  /** When the harm was last observed, epoch milliseconds; left out: with the newest harmful request. */
  last_harm_at?: number
}

/** The most members of a prefix that are stored and followed; the others only count. */
export const MAX_MEMBERS = 1_000
const ROWS_AT_ONCE = 200

/**
 * Opens the issue with its evidence, its change and its baseline inspection. Returns false if another writer has opened
 * it.
 */
export async function openIssue(
  tx: ControlTransaction,
  detection: DetectionScope,
  { group, text, inspection_id, ...opening }: Opening,
): Promise<boolean> {
  const unit = {
    site_id: detection.scope.site_id,
    host: group.host,
    path_key: group.path_key,
    crawler_id: group.crawler_id,
    harm: group.harm,
  }
  const last_harm_at = opening.last_harm_at ?? Math.max(...group.members.map(({ last_ms }) => last_ms))
  const days = harmfulDays(group)
  const life = openLife(detection.as_of, last_harm_at, inspection_id === null ? null : 'yes')
  const row = await insertOnce(tx, detection, unit, {
    vantage: group.vantage,
    ...life,
    cause: text.cause,
    confidence: text.confidence,
    title: text.title,
    description: text.description,
    fix_prompt: text.fix_prompt,
    evidence_from: days.from,
    evidence_to: days.to,
    member_count: new Set(group.members.map(({ page_id }) => page_id)).size,
    weakest_identity: Math.min(...group.members.map(({ rank }) => rank)),
    // What robots.txt keeps away makes no harmful requests: its members count those that were lost.
    recent_harm_count: group.harm === 'robots' ? 0 : group.members.reduce((sum, { harmful }) => sum + harmful, 0),
  })
  if (row === null) return false
  await addEvidence(tx, row.id, text.evidence_refs)
  if (inspection_id !== null) await addEvidence(tx, row.id, [{ kind: 'inspection', id: inspection_id }])
  await addMembers(tx, row.id, group.members)
  await recordChange(tx, detection, row, { at: detection.as_of, change: 'opened', inspection_id })
  await inspectIssue(tx, row, group.members, { reason: 'baseline', now: detection.as_of })
  return true
}

/** What a detection knows of a new issue. */
type NewIssue = Omit<
  IssueRow,
  keyof IssueUnit | 'id' | 'unit' | 'detected_at' | 'ended_at' | 'previous_id' | 'revision'
>

/** Inserts a new issue, which follows the last one of its unit. Returns null if another writer has opened it. */
export async function insertOnce(
  tx: ControlTransaction,
  { as_of }: Pick<DetectionScope, 'as_of'>,
  unit: IssueUnit,
  issue: NewIssue,
): Promise<IssueRow | null> {
  const previous_id = await findPrevious(tx, unit)
  const row: IssueRow = {
    ...issue,
    ...unit,
    id: randomUUID(),
    unit: unitText(unit),
    description: withPrevious(issue.description, previous_id),
    detected_at: as_of,
    ended_at: null,
    previous_id,
    revision: 1,
  }
  const inserted = await tx
    .insertInto('issues')
    .values(row)
    .onConflict((conflict) => conflict.column('unit').doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n ? row : null
}

/** Adds the id of the earlier issue to the description of a new one (rules 8.2). */
export const withPrevious = (description: string | null, previous_id: string | null): string | null =>
  previous_id === null
    ? description
    : [description, `An earlier issue about this has ended: ${previous_id}.`].filter(Boolean).join(' ')

/** The newest ended issue of the unit. */
async function findPrevious(tx: ControlTransaction, unit: IssueUnit): Promise<string | null> {
  const previous = await tx
    .selectFrom('issues')
    .select('id')
    .where((is) => is.and({ site_id: unit.site_id, host: unit.host }))
    .where('path_key', unit.path_key === null ? 'is' : '=', unit.path_key)
    .where('crawler_id', unit.crawler_id === null ? 'is' : '=', unit.crawler_id)
    .where('harm', '=', unit.harm)
    .where('ended_at', 'is not', null)
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return previous?.id ?? null
}

/** Adds members to an issue, with the counts of its evidence. */
export async function addMembers(
  tx: ControlTransaction,
  issue_id: string,
  members: readonly Omit<HarmedPath, 'harm'>[],
): Promise<void> {
  const rows = members.slice(0, MAX_MEMBERS).map(({ page_id, crawler_id, path, harmful, observed }) => ({
    issue_id,
    page_id,
    crawler_id,
    path,
    harmful,
    observed,
  }))
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await tx
      .insertInto('issue_members')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .onConflict((conflict) =>
        conflict
          .columns(['issue_id', 'page_id', 'crawler_id'])
          .doUpdateSet((eb) => ({ harmful: eb.ref('excluded.harmful'), observed: eb.ref('excluded.observed') })),
      )
      .execute()
  }
}

/** How many issues of a site were opened on the UTC day of an instant. */
async function countOpened(tx: ControlTransaction, site_id: string, as_of: number): Promise<number> {
  const { count } = await tx
    .selectFrom('issues')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('site_id', '=', site_id)
    .where('detected_at', '>=', dayStart(utcDay(as_of)))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const MAX_OPENINGS_A_DAY = 50

/** Opens an issue unless the site has reached the limit of the day. Returns false if it has. */
export async function openWithinDay(
  { control }: Pick<CrawlerContext, 'control'>,
  detection: DetectionScope,
  opening: Opening,
  most = MAX_OPENINGS_A_DAY,
): Promise<boolean> {
  return control.transaction(async (tx) => {
    if ((await countOpened(tx, detection.scope.site_id, detection.as_of)) >= most) return false
    await openIssue(tx, detection, opening)
    return true
  })
}

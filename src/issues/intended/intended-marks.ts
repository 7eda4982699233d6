/** Harm that the owner wants (rules 8.1, Intended). */

import { randomUUID } from 'node:crypto'
import { HARMS, type Harm } from '#contract/vocabulary.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { IntendedMarkRow, IssueMemberRow } from '#control/tables.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import { readFollowed, readMarks } from '../followed-issues.ts'
import { recordChange } from '../lifecycle/record-change.ts'
import { writeIssue } from '../lifecycle/write-issue.ts'
import { readMarkedPath } from './marked-path.ts'
import { coversHarm } from './match-marks.ts'

interface MarksContext extends ControlContext {
  is_clock_simulated: boolean
}

export interface MarkInput {
  site_id: string
  /** As stored with evidence (`normalizeHost`). */
  host: string
  path: string
  harm: Harm
  crawler_id: string | null
}

const MAX_MARKS = 1_000

/** Marks harm as intended, or returns the equal mark in force. @throws Refusal invalid_input, conflict. */
export async function markIntended(ctx: MarksContext, input: MarkInput): Promise<IntendedMarkRow> {
  const { host } = input
  const path_key = readMarkedPath(input.path, input.harm)
  return ctx.control.transaction(async (tx) => {
    const marks = await readMarks(tx, input.site_id)
    const same = marks.find(
      (mark) =>
        mark.revoked_at === null &&
        mark.host === host &&
        mark.path_key === path_key &&
        mark.harm === input.harm &&
        mark.crawler_id === input.crawler_id,
    )
    if (same !== undefined) return same
    if (marks.length >= MAX_MARKS) {
      throw new Refusal(
        'conflict',
        `The site has ${MAX_MARKS} marks, the most that it may have: mark a prefix such as /private/* instead.`,
      )
    }
    const mark: IntendedMarkRow = {
      id: randomUUID(),
      site_id: input.site_id,
      host,
      path_key,
      crawler_id: input.crawler_id,
      harm: input.harm,
      created_at: ctx.clock.now(),
      revoked_at: null,
    }
    await tx.insertInto('intended_marks').values(mark).execute()
    await endMarked(ctx, tx, mark)
    return mark
  })
}

/** @throws Refusal not_found. */
export async function revokeMark(ctx: MarksContext, site_id: string, id: string): Promise<IntendedMarkRow> {
  return ctx.control.transaction(async (tx) => {
    const mark = (await readMarks(tx, site_id)).find((one) => one.id === id.toLowerCase())
    if (mark === undefined)
      throw new Refusal('not_found', `The site has no mark with the id ${quoted(id)}: {next} lists them all.`, {
        next: { step: 'issue.intended_list' },
      })
    if (mark.revoked_at !== null) return mark
    const revoked_at = ctx.clock.now()
    await tx.updateTable('intended_marks').set({ revoked_at }).where('id', '=', mark.id).execute()
    return { ...mark, revoked_at }
  })
}

const MARKED = 'The owner marked this as intended. No fix is claimed.'

/**
 * Withdraws the issues that a mark covers, so that later evidence may open new ones. An issue of a prefix continues
 * without the marked paths, whose harm would keep it from being fixed, or make it regress.
 */
async function endMarked(ctx: MarksContext, tx: ControlTransaction, mark: IntendedMarkRow): Promise<void> {
  for (const { issue, members } of await readFollowed(tx, mark.site_id, HARMS)) {
    const { host, path_key, crawler_id } = issue
    const isMarked = (harmed: { path: string | null; crawler_id: string | null }) =>
      coversHarm(mark, { ...harmed, host, harm: issue.harm as Harm })
    // A mark of a robots rule covers the pattern, not the pages below it.
    const marked = mark.harm === 'robots' ? [] : members.filter(isMarked)
    const isWhole = isMarked({ path: path_key, crawler_id }) || (marked.length > 0 && marked.length === members.length)
    if (!isWhole) {
      await removeMembers(tx, marked)
      continue
    }
    const ended = { state: 'withdrawn', unit: null, ended_at: mark.created_at, description: MARKED } as const
    await writeIssue(tx, issue, ended)
    await recordChange(tx, ctx, issue, { at: mark.created_at, change: 'withdrawn', inspection_id: null })
  }
}

async function removeMembers(tx: ControlTransaction, members: readonly IssueMemberRow[]): Promise<void> {
  for (const { issue_id, page_id, crawler_id } of members)
    await tx
      .deleteFrom('issue_members')
      .where((is) => is.and({ issue_id, page_id, crawler_id }))
      .execute()
}

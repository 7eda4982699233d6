/** The number of inspections per site and hour, so that inspections add little load to the site (rules 8.3). */
import { HOUR_MS } from '#clock.ts'
import type { ControlDb } from '#control/store.ts'
import type { InspectionReason } from '#control/tables.ts'

/** Reasons that share 20 inspections per site and hour; those that people wait for are first. */
export const BUDGETS: readonly (readonly InspectionReason[])[] = [
  ['verify', 'baseline'],
  ['success', 'follow_up', 'home', 'snippet'],
  ['precondition'],
]
const MAX_AN_HOUR = 20

/** The index in `BUDGETS` of the budget of a reason. */
export function budgetOf(reason: InspectionReason): number {
  return BUDGETS.findIndex((reasons) => reasons.includes(reason))
}

export interface BudgetsLeft {
  /** How many inspections the site may still begin within the budget of a reason. */
  left(site_id: string, reason: InspectionReason): number
}

/** Counts the inspections that began within the last hour. */
export async function readBudgets(db: ControlDb, now: number): Promise<BudgetsLeft> {
  const begun = await db
    .selectFrom('inspections')
    .select((eb) => ['site_id', 'reason', eb.fn.countAll<number>().as('count')])
    .where('started_at', '>', now - HOUR_MS)
    .groupBy(['site_id', 'reason'])
    .execute()
  const spent = new Map<string, number>()
  const keyOf = (site_id: string, reason: InspectionReason) => `${site_id} ${budgetOf(reason)}`
  for (const { site_id, reason, count } of begun) {
    const key = keyOf(site_id, reason)
    const before = spent.get(key)
    spent.set(key, before === undefined ? Number(count) : before + Number(count))
  }
  return {
    left(site_id, reason) {
      const used = spent.get(keyOf(site_id, reason))
      return used === undefined ? MAX_AN_HOUR : Math.max(0, MAX_AN_HOUR - used)
    },
  }
}

/**
 * When a site may begin another inspection within the budget of a reason, epoch milliseconds: `now`, or later if the
 * budget is used up.
 */
export async function nextBegin(
  db: ControlDb,
  { site_id, reason }: { site_id: string; reason: InspectionReason },
  now: number,
): Promise<number> {
  const begun = await db
    .selectFrom('inspections')
    .select('started_at')
    .where('site_id', '=', site_id)
    .where('reason', 'in', [...(BUDGETS[budgetOf(reason)] ?? [])])
    .where('started_at', '>', now - HOUR_MS)
    .orderBy('started_at', 'desc')
    .offset(MAX_AN_HOUR - 1)
    .limit(1)
    .executeTakeFirst()
  return begun?.started_at == null ? now : begun.started_at + HOUR_MS
}

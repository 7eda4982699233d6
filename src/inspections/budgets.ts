/** How many inspections a site may have an hour, so that asking about a fault adds little load to it (rules 8.3). */
import { HOUR_MS } from '#clock.ts'
import type { ControlDb } from '#control/store.ts'
import type { InspectionReason } from '#control/tables.ts'

/** Reasons that share 20 inspections a site and hour; what people wait for comes first. */
const BUDGETS: readonly (readonly InspectionReason[])[] = [
  ['verify', 'baseline'],
  ['success', 'follow_up', 'home', 'snippet'],
  ['precondition'],
]
const MAX_AN_HOUR = 20

/** The budget that a reason draws on, by its place in the order of service. */
export function budgetOf(reason: InspectionReason): number {
  return BUDGETS.findIndex((reasons) => reasons.includes(reason))
}

/** What each site has left of each budget. */
export interface BudgetsLeft {
  /** Takes one; false when the hour's are used up. */
  take(site_id: string, reason: InspectionReason): boolean
}

/** Counts what was begun within the last hour. */
export async function readBudgets(db: ControlDb, now: number): Promise<BudgetsLeft> {
  const begun = await db
    .selectFrom('inspections')
    .select((eb) => ['site_id', 'reason', eb.fn.countAll<number>().as('count')])
    .where('started_at', '>', now - HOUR_MS)
    .groupBy(['site_id', 'reason'])
    .execute()
  const spent = new Map<string, number>()
  const keyOf = (site_id: string, reason: InspectionReason) => `${site_id} ${budgetOf(reason)}`
  const spentOn = (key: string): number => {
    const known = spent.get(key)
    return known === undefined ? 0 : known
  }
  for (const { site_id, reason, count } of begun) {
    const key = keyOf(site_id, reason)
    spent.set(key, spentOn(key) + Number(count))
  }
  return {
    take(site_id, reason) {
      const key = keyOf(site_id, reason)
      if (spentOn(key) >= MAX_AN_HOUR) return false
      spent.set(key, spentOn(key) + 1)
      return true
    },
  }
}

/** Chooses the next inspection: first those that people wait for, and fairly between sites (rules 8.3). */
import { sql } from 'kysely'
import type { ControlDb, ControlStore } from '#control/store.ts'
import type { InspectionRow } from '#control/tables.ts'
import { BUDGETS, budgetOf, readBudgets } from './budgets.ts'

export type DueInspection = InspectionRow & { root_domain: string }

/**
 * Marks the next inspection as running and returns it; null if none is due that may be made. Inspections without budget
 * are marked as deferred. Hosts in `busy` are skipped.
 */
export async function takeNext(
  { db }: ControlStore,
  busy: readonly string[],
  now: number,
): Promise<DueInspection | null> {
  const budgets = await readBudgets(db, now)
  const first = await findFirstOfEach(db, busy, now)
  const affordable = first.filter(({ site_id, reason }) => budgets.left(site_id, reason) > 0)
  for (const row of first) if (!affordable.includes(row) && Number(row.unmarked) > 0) await markDeferred(db, row, now)
  const [next] = affordable.sort(
    (a, b) => budgetOf(a.reason) - budgetOf(b.reason) || b.weight - a.weight || a.due_at - b.due_at,
  )
  if (next === undefined) return null
  const { place: _place, unmarked: _unmarked, ...row } = next
  const begun = { state: 'running', obstacle: null, started_at: now } as const
  await db.updateTable('inspections').set(begun).where('id', '=', row.id).execute()
  return { ...row, ...begun }
}

/** The inspection of the highest weight of each site and budget, so that a long queue of one site delays no other. */
async function findFirstOfEach(db: ControlDb, busy: readonly string[], now: number) {
  const budget = sql`CASE ${sql.join(
    BUDGETS.map((reasons, index) => sql`WHEN reason IN (${sql.join(reasons)}) THEN ${sql.lit(index)}`),
    sql` `,
  )} END`
  const due = db
    .selectFrom('inspections')
    .innerJoin('sites', 'sites.id', 'inspections.site_id')
    .selectAll('inspections')
    .select('sites.root_domain')
    .select([
      sql<number>`row_number() OVER (PARTITION BY site_id, ${budget} ORDER BY weight DESC, due_at, inspections.id)`.as(
        'place',
      ),
      // Queued inspections that are not marked as deferred yet.
      sql<number>`count(CASE WHEN obstacle IS NULL THEN 1 END) OVER (PARTITION BY site_id, ${budget})`.as('unmarked'),
    ])
    .where((is) => is.and({ 'inspections.state': 'queued', 'inspections.kind': 'page' }))
    .where('inspections.due_at', '<=', now)
  const free = busy.length === 0 ? due : due.where('inspections.host', 'not in', [...busy])
  return db.selectFrom(free.as('due')).selectAll().where('place', '=', 1).execute()
}

async function markDeferred(db: ControlDb, { site_id, reason }: InspectionRow, now: number): Promise<void> {
  await db
    .updateTable('inspections')
    .set({ obstacle: 'budget' })
    .where('site_id', '=', site_id)
    .where('reason', 'in', [...(BUDGETS[budgetOf(reason)] ?? [])])
    .where((is) => is.and({ state: 'queued', kind: 'page' }))
    .where('due_at', '<=', now)
    .where('obstacle', 'is', null)
    .execute()
}

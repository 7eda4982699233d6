/**
 * Which engines are in the plan of an account (account API 1): configured ones, and those of which any answer was
 * stored.
 */
import { ENGINES, type Engine, type PLAN_BASES } from '#contract/vocabulary.ts'
import type { ControlDb } from '#control/store.ts'

export interface PlanEngine {
  engine: Engine
  basis: (typeof PLAN_BASES)[number]
}

/** In the order of the vocabulary. */
export async function readPlanEngines(db: ControlDb, account_id: string): Promise<PlanEngine[]> {
  const rows = await db.selectFrom('plan_engines').selectAll().where('account_id', '=', account_id).execute()
  return ENGINES.flatMap((engine) => {
    const row = rows.find((each) => each.engine === engine)
    return row === undefined ? [] : [{ engine, basis: basisOf(row) }]
  })
}

function basisOf({ is_configured, has_answers }: { is_configured: number; has_answers: number }): PlanEngine['basis'] {
  if (is_configured === 0) return 'imported'
  return has_answers === 1 ? 'both' : 'configured'
}

/** Adds an engine to the plan, or another reason for it. Repeating it changes nothing. */
export async function addPlanEngine(
  db: ControlDb,
  { account_id, engine, reason }: { account_id: string; engine: Engine; reason: 'is_configured' | 'has_answers' },
): Promise<void> {
  await db
    .insertInto('plan_engines')
    .values({ account_id, engine, is_configured: 0, has_answers: 0, [reason]: 1 })
    .onConflict((conflict) => conflict.columns(['account_id', 'engine']).doUpdateSet({ [reason]: 1 }))
    .execute()
}

/** Removes an engine from the plan. Its stored answers are kept. */
export async function removePlanEngine(
  db: ControlDb,
  { account_id, engine }: { account_id: string; engine: Engine },
): Promise<void> {
  await db.deleteFrom('plan_engines').where('account_id', '=', account_id).where('engine', '=', engine).execute()
}

/** The state of engines: faults, budgets and scans (account API 3). */

import { budgetMonth, expectCost, hasRoom, readMonth } from '#brands/engines/budget.ts'
import { adapterOfRow, obstacleOf, readAllSettings } from '#brands/engines/settings.ts'
import { type Clock, DAY_MS } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import { countOf, formatCount } from '#quantities.ts'
import { type Finding, finding } from './findings.ts'

/** One engine of one account. */
export interface EngineCondition {
  engine: string
  is_asked: boolean
  /** bad_key, no_credit or model_unknown; null: none is known. */
  fault: string | null
  has_room: boolean
  month: string
  calls: number
  spent_micros: number
  /** Runs of scans that are due or run. */
  waiting: number
  /** Runs of scans that ended within 24 hours. */
  answered: number
  failed: number
  not_run: number
}

interface Stores {
  control: ControlStore
  clock: Clock
}

/** Engines that were set up. */
export async function readEngines({ control, clock }: Stores): Promise<EngineCondition[]> {
  const now = clock.now()
  return control.snapshot(async (trx) => {
    const runs = await trx
      .selectFrom('scan_runs')
      .innerJoin('scans', 'scans.id', 'scan_runs.scan_id')
      .innerJoin('brands', 'brands.id', 'scans.brand_id')
      .select(['brands.account_id', 'scan_runs.engine', 'scan_runs.state'])
      .select(({ fn }) => fn.countAll().as('runs'))
      .where(({ or, and, eb }) =>
        or([
          and([eb('scan_runs.state', 'in', ['waiting', 'asking']), eb('scan_runs.due_at', '<=', now)]),
          eb('scan_runs.ended_at', '>', now - DAY_MS),
        ]),
      )
      .groupBy(['brands.account_id', 'scan_runs.engine', 'scan_runs.state'])
      .execute()
    const conditions = []
    for (const row of await readAllSettings(trx)) {
      const adapter = adapterOfRow(row)
      if (adapter === null) continue
      const used = await readMonth(trx, row, budgetMonth(now))
      const inState = (...states: string[]) =>
        runs
          .filter((each) => each.account_id === row.account_id && each.engine === row.engine)
          .filter(({ state }) => states.includes(state))
          .reduce((sum, each) => sum + Number(each.runs), 0)
      conditions.push({
        engine: row.engine,
        is_asked: obstacleOf(row) === null,
        fault: row.fault,
        has_room: hasRoom(row, used, expectCost(adapter, row, used)),
        month: used.month,
        calls: used.calls,
        spent_micros: used.spent_micros,
        waiting: inState('waiting', 'asking'),
        answered: inState('answered', 'refused'),
        failed: inState('failed'),
        not_run: inState('not_run'),
      })
    }
    return conditions
  })
}

/** Nothing where no engine is asked. */
export async function checkEngines({ control, clock }: Stores): Promise<Finding[]> {
  const asked = (await readEngines({ control, clock })).filter(({ is_asked }) => is_asked)
  if (asked.length === 0) return []
  const found = asked.flatMap((engine) => [...findingsOf(engine)])
  const calls = asked.reduce((sum, engine) => sum + engine.calls, 0)
  const well = `${countOf(asked.length, 'engine')}, ${countOf(calls, 'call')} this month.`
  return found.length > 0 ? found : [finding('engines', well)]
}

function* findingsOf(condition: EngineCondition): Generator<Finding> {
  const { engine, fault, has_room, calls, month, answered, failed, not_run } = condition
  if (fault === 'bad_key') yield finding('engine_key_rejected', `${engine} refuses its key.`)
  else if (fault !== null) yield finding('engine_unusable', `${engine} answers ${fault}.`)
  if (!has_room) {
    yield finding(
      'engine_budget_used',
      `The budget of ${engine} has no room for another call in ${month} after ${formatCount(calls)}.`,
    )
  }
  if (fault === null && answered === 0 && failed > 0) {
    const rest = not_run === 0 ? '' : `, ${formatCount(not_run)} were not asked`
    yield finding('scan_failing', `${engine} answered none of ${countOf(failed, 'question')} in 24 hours${rest}.`)
  }
}

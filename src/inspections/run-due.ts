/** Makes the inspections that are due: four at once, one per host, within the budgets of their sites (rules 8.3). */
import type { Logger } from 'pino'
import { type Clock, DAY_MS, MINUTE_MS } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import type { InspectionRow } from '#control/tables.ts'
import type { RegistryStore } from '#crawlers/registry/registry-store.ts'
import { budgetOf, readBudgets } from './budgets.ts'
import { type InspectPageContext, inspectPage } from './inspect-page.ts'
import { recordRobots } from './robots-snapshots.ts'

export interface RunInspectionsContext extends InspectPageContext {
  clock: Clock
  control: ControlStore
  registries: RegistryStore
  log: Logger
  /** Sees each inspection that was made, once it is stored. */
  onInspected?: (made: { site_id: string; inspection_id: string; issue_id: string | null; is_clean: boolean }) => void
}

type Due = InspectionRow & { root_domain: string }

const MAX_AT_ONCE = 4
/** Read at once; more wait for the next run. */
const MAX_DUE = 500
/** An inspection ends within 25 s; one that still runs later belongs to a process that has ended. */
const LOST_AFTER_MS = 2 * MINUTE_MS

/** Runs until nothing is due that may be made; returns how many were made. */
export async function runDueInspections(ctx: RunInspectionsContext, signal: AbortSignal): Promise<number> {
  const { control, clock } = ctx
  await tidyQueue(ctx)
  const due = await findDue(control, clock.now())
  const budgets = await readBudgets(control.db, clock.now())
  const isAffordable = new Map(due.map((row) => [row.id, budgets.take(row.site_id, row.reason)]))
  const deferred = due.filter(({ id, obstacle }) => !isAffordable.get(id) && obstacle === null)
  if (deferred.length > 0) await markDeferred(control, deferred)
  const waiting = due.filter(({ id }) => isAffordable.get(id))
  const running = new Map<string, Promise<void>>()
  let made = 0
  while (waiting.length > 0 || running.size > 0) {
    signal.throwIfAborted()
    const next = running.size < MAX_AT_ONCE ? waiting.findIndex(({ host }) => !running.has(host)) : -1
    if (next === -1) {
      await Promise.race(running.values())
      continue
    }
    const [row] = waiting.splice(next, 1) as [Due]
    running.set(
      row.host,
      inspect(ctx, row, signal).finally(() => running.delete(row.host)),
    )
    made++
  }
  return made
}

/** What waited for a day is given up; what a crash left running is due again. */
async function tidyQueue({ control, clock }: RunInspectionsContext): Promise<void> {
  const now = clock.now()
  await control.db
    .updateTable('inspections')
    .set({ state: 'not_made', obstacle: 'expired', ended_at: now })
    .where('state', '=', 'queued')
    .where('due_at', '<', now - DAY_MS)
    .execute()
  await control.db
    .updateTable('inspections')
    .set({ state: 'queued', started_at: null })
    .where('state', '=', 'running')
    .where('started_at', '<', now - LOST_AFTER_MS)
    .execute()
}

async function findDue({ db }: ControlStore, now: number): Promise<Due[]> {
  const rows = await db
    .selectFrom('inspections')
    .innerJoin('sites', 'sites.id', 'inspections.site_id')
    .selectAll('inspections')
    .select('sites.root_domain')
    .where('inspections.state', '=', 'queued')
    .where('inspections.kind', '=', 'page')
    .where('inspections.due_at', '<=', now)
    .orderBy('inspections.weight', 'desc')
    .orderBy('inspections.due_at')
    .limit(MAX_DUE)
    .execute()
  return rows.sort((a, b) => budgetOf(a.reason) - budgetOf(b.reason))
}

async function markDeferred({ db }: ControlStore, rows: readonly Due[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  await db.updateTable('inspections').set({ obstacle: 'budget' }).where('id', 'in', ids).execute()
}

/** Whatever goes wrong with one inspection stops no other. */
async function inspect(ctx: RunInspectionsContext, row: Due, signal: AbortSignal): Promise<void> {
  const { control, clock, log } = ctx
  const { id, site_id, host, path, crawler_id, issue_id } = row
  await setState(control, id, { state: 'running', obstacle: null, started_at: clock.now() })
  try {
    const registry = await ctx.registries.current()
    const { result, robots } = await inspectPage(
      ctx,
      {
        ...{ inspection_id: id, root_domain: row.root_domain, host, path },
        crawler: crawler_id === null ? null : (registry.entry(crawler_id) ?? null),
        was_clean_over_https: await wasCleanOverHttps(control, site_id, host),
      },
      signal,
    )
    await recordRobots(control, { site_id, host, scheme: result.scheme, visit: robots, fetched_at: clock.now() })
    const { is_clean, reproduced, scheme } = result
    await setState(control, id, {
      ...{ state: 'done', ended_at: clock.now(), scheme, is_clean: is_clean ? 1 : 0, reproduced },
      result: JSON.stringify(result),
    })
    ctx.onInspected?.({ site_id, inspection_id: id, issue_id, is_clean })
  } catch (error) {
    if (signal.aborted) return await setState(control, id, { state: 'queued', started_at: null })
    log.warn({ err: error, inspection: id }, 'an inspection failed')
    await setState(control, id, { state: 'not_made', obstacle: 'failed', ended_at: clock.now() })
  }
}

async function setState({ db }: ControlStore, id: string, state: Partial<InspectionRow>): Promise<void> {
  await db.updateTable('inspections').set(state).where('id', '=', id).execute()
}

async function wasCleanOverHttps({ db }: ControlStore, site_id: string, host: string): Promise<boolean> {
  const found = await db
    .selectFrom('inspections')
    .select('id')
    .where('site_id', '=', site_id)
    .where('host', '=', host)
    .where('scheme', '=', 'https')
    .where('is_clean', '=', 1)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

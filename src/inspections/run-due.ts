/**
 * Runs the inspections that are due: four concurrently, one per host, within the budgets of their sites (rules 8.3).
 */
import type { Logger } from 'pino'
import { type Clock, DAY_MS, MINUTE_MS } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import type { InspectionRow } from '#control/tables.ts'
import type { RegistryStore } from '#crawlers/registry/registry-store.ts'
import { type InspectPageContext, inspectPage } from './inspect-page.ts'
import { fetchWithHistory } from './robots-history.ts'
import { recordRobots } from './robots-snapshots.ts'
import { type DueInspection, takeNext } from './take-next.ts'

export interface RunInspectionsContext extends InspectPageContext {
  clock: Clock
  control: ControlStore
  registries: RegistryStore
  log: Logger
  /** Is called with each inspection that was made, once it is stored. */
  onInspected?: (made: { site_id: string; inspection_id: string; issue_id: string | null; is_clean: boolean }) => void
}

const MAX_AT_ONCE = 4
/** An inspection ends within 25 s; one that still runs later belongs to a process that has ended. */
const LOST_AFTER_MS = 2 * MINUTE_MS

/**
 * Runs until no inspection is due that may be made, and returns the number of inspections. Whenever one ends, the queue
 * is read again, so that those that people wait for are next.
 */
export async function runDueInspections(ctx: RunInspectionsContext, signal: AbortSignal): Promise<number> {
  const { control, clock } = ctx
  await tidyQueue(ctx)
  const running = new Map<string, Promise<void>>()
  let made = 0
  try {
    for (;;) {
      signal.throwIfAborted()
      const busy = [...running.keys()]
      const row = busy.length < MAX_AT_ONCE ? await takeNext(control, busy, clock.now()) : null
      if (row === null) {
        // The queue is empty only if no host was busy when it was read.
        if (busy.length === 0) return made
        if (running.size > 0) await Promise.race(running.values())
        continue
      }
      running.set(
        row.host,
        inspect(ctx, row, signal).finally(() => running.delete(row.host)),
      )
      made++
    }
  } finally {
    // Aborted inspections also write their state, before the stores may be closed.
    await Promise.allSettled(running.values())
  }
}

/** Gives up inspections that waited for a day, and requeues those that a crash left running. */
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

/** Runs one inspection. An error in it does not stop the others. */
async function inspect(ctx: RunInspectionsContext, row: DueInspection, signal: AbortSignal): Promise<void> {
  const { control, clock, log } = ctx
  const { id, site_id, host, path, crawler_id, issue_id } = row
  try {
    const registry = await ctx.registries.current()
    const { result, robots } = await inspectPage(
      ctx,
      {
        inspection_id: id,
        root_domain: row.root_domain,
        host,
        path,
        crawler: crawler_id === null ? null : (registry.entry(crawler_id) ?? null),
        was_clean_over_https: await hasInspection(control, { site_id, host, scheme: 'https', is_clean: 1 }),
        // A result is of http only where the host was reached over it then or before.
        was_reached_over_http: await hasInspection(control, { site_id, host, scheme: 'http' }),
        fetchWithHistory: (scheme, visit) =>
          fetchWithHistory(control.db, { site_id, scheme, host }, visit, clock.now()),
      },
      signal,
    )
    await recordRobots(control, { site_id, host, scheme: result.scheme, visit: robots, fetched_at: clock.now() })
    const { is_clean, reproduced, scheme } = result
    await setState(control, id, {
      state: 'done',
      ended_at: clock.now(),
      scheme,
      is_clean: is_clean ? 1 : 0,
      reproduced,
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

async function hasInspection(
  { db }: ControlStore,
  like: Pick<InspectionRow, 'site_id' | 'host' | 'scheme'> & { is_clean?: 1 },
): Promise<boolean> {
  const found = await db
    .selectFrom('inspections')
    .select('id')
    .where((is) => is.and(like))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

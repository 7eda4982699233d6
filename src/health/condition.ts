import { readSetting } from '#control/settings.ts'
import type { ControlStore } from '#control/store.ts'
import { REGISTRY_VERSION } from '#crawlers/registry/registry-store.ts'

/** What the control store says of work that is under way or was left behind, over all sites. */
export interface Condition {
  /** Days whose roll-ups may be stale: still being written, and ready to be rebuilt. A day may be both. */
  dirty_days: { writing: number; written: number }
  deliveries: { writing: number; broken: number }
  /** Null before the first start has finished. */
  registry_version: string | null
}

/** The state of the control store, for metrics. */
export function readCondition(control: ControlStore): Promise<Condition> {
  return control.snapshot(async (tx) => {
    const dirty = await tx
      .selectFrom('dirty_days')
      .select(['site_id', 'day', 'state'])
      .distinct()
      .where('kind', '=', 'crawlers')
      .where('marked', '>', 0)
      .execute()
    const deliveries = await tx
      .selectFrom('deliveries')
      .select('state')
      .where('state', 'in', ['writing', 'broken'])
      .execute()
    const inState = (rows: readonly { state: string }[], state: string) =>
      rows.filter((row) => row.state === state).length
    return {
      dirty_days: { writing: inState(dirty, 'writing'), written: inState(dirty, 'written') },
      deliveries: { writing: inState(deliveries, 'writing'), broken: inState(deliveries, 'broken') },
      registry_version: await readSetting(tx, REGISTRY_VERSION),
    }
  })
}

/** Steps 9 and 10: writes events as lines, makes them durable, and responds. They are counted when they are stored. */
import type { PageName } from '#evidence/page-names.ts'
import type { AdmissionControl } from './admission-control.ts'
import { countedAs } from './collection-counts.ts'
import type { CollectorRun } from './collector-run.ts'
import type { CollectorContext } from './context.ts'
import { eventRow } from './event-row.ts'
import type { EventStorage } from './event-storage.ts'
import type { CollectAnswer, EventDelivery, ReadItems } from './receive-events.ts'
import type { RecentHour } from './recent-hour.ts'
import type { IdHash } from './recent-ids.ts'

/** Resolves once the events are durable. @throws CollectRefusal unavailable. */
export type StoreEvents = (delivery: EventDelivery, read: ReadItems) => Promise<CollectAnswer>

export interface StoreParts {
  ctx: CollectorContext
  storage: EventStorage
  recent: RecentHour
  admission: AdmissionControl
  run: CollectorRun
}

export function openStore({ ctx, storage, recent, admission, run }: StoreParts): StoreEvents {
  return async ({ site, stream, receipt, visitor }, { events, rejected }) => {
    const { site_id } = site
    const { day, at } = receipt
    const count = events.length
    if (count === 0) return { accepted: 0, rejected }
    const frame = { site_id, stream, receipt, visitor }
    let lines = ''
    const pages: PageName[] = []
    const ids: IdHash[] = []
    for (let place = 0; place < count; place++) {
      const event = events[place] as (typeof events)[number]
      lines += eventRow(frame, event, place)
      ids.push(event.id_hash)
      if (event.page.name !== null) pages.push(event.page.name)
    }
    try {
      await storage.append({ site_id, day, at, stream, lines, count, ids, pages })
    } catch (error) {
      if (run.noteOutage())
        ctx.log.error({ err: error }, 'events cannot be made durable, and are refused until they can')
      throw admission.notDurable(site, count)
    }
    if (stream !== 'development') recent.count({ site_id, ...countedAs(stream), events: count })
    return { accepted: count, rejected }
  }
}

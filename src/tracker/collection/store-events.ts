/** Steps 9 and 10: what was read becomes lines, the lines durable, and then it is counted and answered. */
import type { PageName } from '#crawlers/page-names.ts'
import type { CollectorRun } from './collector-run.ts'
import type { CollectorContext } from './context.ts'
import { type CollectionCounts, countedAs } from './counts.ts'
import type { CollectAnswer, Delivery, ReadItems } from './receive.ts'
import type { Refuser } from './refuser.ts'
import { eventRow } from './row.ts'
import type { Spool } from './spool.ts'

/** Resolves once the events are durable. @throws CollectRefusal unavailable. */
export type StoreEvents = (delivery: Delivery, read: ReadItems) => Promise<CollectAnswer>

export interface StoreParts {
  ctx: CollectorContext
  spool: Spool
  counts: CollectionCounts
  refuser: Refuser
  run: CollectorRun
}

export function openStore({ ctx, spool, counts, refuser, run }: StoreParts): StoreEvents {
  return async ({ site, stream, receipt, visitor }, { events, rejected }) => {
    const { site_id } = site
    const { day, at } = receipt
    const count = events.length
    if (count === 0) return { accepted: 0, rejected }
    const frame = { site_id, stream, receipt, visitor }
    let lines = ''
    const pages: PageName[] = []
    for (let place = 0; place < count; place++) {
      const event = events[place] as (typeof events)[number]
      lines += eventRow(frame, event, place)
      if (event.page.name !== null) pages.push(event.page.name)
    }
    try {
      await spool.append({ site_id, day, at, lines, count, is_evidence: stream !== 'bot', pages })
    } catch (error) {
      if (run.noteOutage())
        ctx.log.error({ err: error }, 'events cannot be made durable, and are refused until they can')
      throw refuser.notDurable(site, count)
    }
    counts.add({ site_id, day, ...countedAs(stream), events: count, at })
    return { accepted: count, rejected }
  }
}

import type { SiteContext } from '#crawlers/context.ts'

/** What answers must know of the collector that runs beside them. */
export interface CollectionState {
  /**
   * The instant (epoch milliseconds) up to which every accepted event can be read: now while nothing waits in the spool, else just
   * before the oldest event that waits.
   */
  readableThrough(): number
}

/** What the tracker's answers about one site work with; crawler evidence stands beside pages (decisions 5). */
export interface TrackerContext extends SiteContext {
  collection: CollectionState
}

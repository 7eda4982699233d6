import type { SiteContext } from '#crawlers/context.ts'

/** What answers must know of the collector that runs beside them. */
export interface CollectionState {
  /**
   * The instant (epoch milliseconds) up to which every accepted event can be read: now while nothing waits in the
   * spool, else just before the oldest event that waits.
   */
  readableThrough(): number
  /** True where this process runs a collector: it is up now, whatever its last mark says. Absent: marks count. */
  is_collecting?: boolean
  /** What was collected for a site in the last 60 minutes; left out, or null, where no collector keeps it. */
  recent?(site_id: string): RecentCollection | null
}

/** Numbers of events of the last 60 minutes. */
export interface RecentCollection {
  accepted: number
  /** By reason. */
  refused: Readonly<Record<string, number>>
  /** True when several visitors' events were expected and all came from one address: a proxy hides the others. */
  hides_addresses: boolean
}

/** What the tracker's answers about one site work with; crawler evidence stands beside pages (decisions 5). */
export interface TrackerContext extends SiteContext {
  collection: CollectionState
}

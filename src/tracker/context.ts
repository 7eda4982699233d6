import type { SiteContext } from '#crawlers/context.ts'

/** The state of the collector, as answers need it. */
export interface CollectionState {
  /**
   * The instant (epoch milliseconds) up to which every accepted event can be read: just before the oldest event that
   * waits in the spool, or now if none waits.
   */
  readableThrough(): number
  /** Whether the collector of this process is up now. If absent, only its stored marks count. */
  is_collecting?: boolean
  /** The events of a site in the last 60 minutes; absent or null if no collector counts them. */
  recent?(site_id: string): RecentCollection | null
  /** Whether a proxy hides the visitors' addresses, by the events that this process received; absent without them. */
  hidesAddresses?(site_id: string): boolean
}

/** The number of events of the last 60 minutes. */
export interface RecentCollection {
  accepted: number
  /** By reason. */
  refused: Readonly<Record<string, number>>
  /** Whether all events came from one address although several visitors sent them: a proxy hides their addresses. */
  hides_addresses: boolean
}

/**
 * The context of the tracker's answers about one site. Crawler evidence is for the answer about pages (decisions 5).
 */
export interface TrackerContext extends SiteContext {
  collection: CollectionState
}

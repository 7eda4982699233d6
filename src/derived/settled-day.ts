/** The settled sessions of an open day. Only the process that derived their builds knows them. */
export interface SettledDay {
  site_id: string
  /** `YYYY-MM-DD`, UTC. */
  day: string
  /** The fingerprint of the events that were received before the end of the last build. */
  facts: string
  /**
   * At least one, ascending. Each has the sessions that settled after the previous one and by `to`, epoch milliseconds.
   */
  builds: readonly { build: number; to: number }[]
  /** All events of sessions that had not settled by then were received at this instant or later, epoch milliseconds. */
  open_from: number
  /** Whether the builds have more than half of the events received by then. If not, reading all facts is as fast. */
  has_most_events: boolean
  /** When the builds were last renewed, so that other processes leave them alone, epoch milliseconds. */
  renewed_at: number
}

/** The instant by which the sessions of the builds had settled, epoch milliseconds. */
export const settledThrough = ({ builds }: SettledDay): number => (builds.at(-1) as SettledDay['builds'][number]).to

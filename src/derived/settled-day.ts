/** What is derived of a day while it is open; only the process that derived it knows these builds. */
export interface SettledDay {
  site_id: string
  /** `YYYY-MM-DD`, UTC. */
  day: string
  /** Names the facts that were received before the last build's end. */
  facts: string
  /** One at least, ascending: each has what had settled by `to`, epoch milliseconds, and is in none before it. */
  builds: readonly { build: number; to: number }[]
  /** The first event of the sessions that had not settled by then was received at this instant or later, epoch ms. */
  open_from: number
  /** Whether the builds hold more than half of the events received by then; if not, reading all facts is as fast. */
  has_most: boolean
  /** When the builds were last renewed, so that other processes leave them alone, epoch milliseconds. */
  renewed_at: number
}

/** By when the sessions of its builds had settled, epoch milliseconds. */
export const endOf = ({ builds }: SettledDay): number => (builds.at(-1) as SettledDay['builds'][number]).to

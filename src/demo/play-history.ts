/**
 * Plays the days of a seeded site as a service would have lived through them: its access log arrives, issues are
 * detected, inspections are made, and alerts are delivered, all against the servers of the demo (web.ts).
 */
import type { Logger } from 'pino'
import { type DeliverContext, deliverDue } from '#alerts/deliver.ts'
import { DAY_MS, MINUTE_MS } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { planHomeInspections } from '#inspections/plan-homes.ts'
import { runDueInspections } from '#inspections/run-due.ts'
import { detectIssues } from '#issues/detect-issues.ts'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'
import { type Seed, type SeedDay, seedDays } from './seed.ts'
import { lookDays, type Story, storiesOf } from './stories.ts'

export interface HistoryPlayer {
  crawlers: CrawlerContext
  outgoing: SafeFetchContext
  secrets: DeliverContext['secrets']
  site_id: string
  log: Logger
  /** Moves the clock of all contexts. */
  moveTo(instant: number): void
  /** Imports one piece of the access log. */
  importLog(text: string): Promise<void>
  /** What else happens up to an instant; the clock is moved up to then. */
  liveUntil(instant: number): Promise<void>
  /** The owner says that what a story does is wanted. */
  markIntended(story: Story): Promise<void>
}

/** A few minutes after midnight, when a day's log has arrived; then as the service's jobs come round. */
const LOOKS_MS = [5 * MINUTE_MS, 6 * MINUTE_MS, 17 * MINUTE_MS]
const DELIVERS_MS = 20 * MINUTE_MS
/** On the last days the home pages are looked at, too: a second host is lost there. */
const HOMES_FROM_BACK = 2

/** Plays it until `seed.now`. */
export async function playHistory(player: HistoryPlayer, seed: Seed): Promise<void> {
  const { moveTo } = player
  const days = seedDays(seed)
  const stories = storiesOf(seed.days)
  const importBefore = async (day: string) => {
    const end = days.findIndex((one) => one.day >= day)
    const arrived: SeedDay[] = days.splice(0, end === -1 ? days.length : end)
    if (arrived.length > 0) await player.importLog(arrived.map(({ text }) => text).join(''))
    return arrived.map((one) => one.day)
  }
  for (const back of lookDays(stories)) {
    const midnight = dayStart(utcDay(seed.now - back * DAY_MS))
    if (midnight + DELIVERS_MS > seed.now) continue
    await player.liveUntil(midnight)
    moveTo(midnight)
    const arrived = await importBefore(utcDay(midnight))
    await look(player, { midnight, back, arrived })
    for (const story of stories) if (story.intended_back === back) await player.markIntended(story)
    await deliver(player, midnight + DELIVERS_MS)
  }
  await player.liveUntil(seed.now)
  moveTo(seed.now)
  await importBefore(utcDay(seed.now))
}

interface Look {
  /** Epoch milliseconds. */
  midnight: number
  back: number
  /** Days of the log that arrived since the look before, `YYYY-MM-DD`. */
  arrived: readonly string[]
}

async function look(player: HistoryPlayer, { midnight, back, arrived }: Look): Promise<void> {
  const { crawlers, outgoing, site_id, log, moveTo } = player
  const never = new AbortController().signal
  await rebuildDirtyDays(crawlers)
  for (const after of LOOKS_MS) {
    moveTo(midnight + after)
    if (back <= HOMES_FROM_BACK) await planHomeInspections(crawlers, never)
    const made = await runDueInspections({ ...crawlers, outgoing, log, public_url: null }, never)
    // Alerts are meant here: their receivers are the demo's.
    const isFirst = after === LOOKS_MS[0]
    const ctx = { ...crawlers, is_clock_simulated: false }
    if (isFirst || made > 0) await detectIssues(ctx, site_id, isFirst ? arrived : [])
  }
}

async function deliver({ crawlers, outgoing, secrets, moveTo }: HistoryPlayer, at: number): Promise<void> {
  moveTo(at)
  const { control, clock } = crawlers
  const ctx: DeliverContext = { control, clock, secrets, outgoing, mailer: null, origin: () => '', random: () => 0.5 }
  await deliverDue(ctx, new AbortController().signal, async () => {})
}

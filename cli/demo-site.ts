/** Plays the history of the demo's site before it is served: its owner's definitions, its visitors and its brand. */
import { DAY_MS } from '#clock.ts'
import type { Config } from '#config.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { collectorRuns } from '#demo/collector-runs.ts'
import { CONVERSIONS, FUNNEL, PROPERTY } from '#demo/owner-definitions.ts'
import { playBrand } from '#demo/play-brand.ts'
import type { Seed } from '#demo/seed.ts'
import { seedVisits } from '#demo/seed-visits.ts'
import { sendVisits } from '#demo/visits.ts'
import { openInstallation } from '#installation.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { openCommandLog } from './command-log.ts'

/** Makes the site on an empty data folder and plays it until `seed.now`. Returns the events taken; null: stopped. */
export async function playVisits(config: Config, site: string, seed: Seed, stop: AbortSignal): Promise<number | null> {
  let now = dayStart(utcDay(seed.now - seed.days * DAY_MS))
  const clock = { now: () => now, elapsed: () => performance.now() }
  const opening = { config, clock, log: openCommandLog('warn'), wait_ms: 0, is_clock_simulated: true }
  const installation = await openInstallation(opening)
  try {
    const { operator } = installation
    const { id: site_id } = await runOperation(operator, 'site.add', { domain: site })
    const { public_id } = await runOperation(operator, 'tracker.enable', { site })
    const { secret } = await runOperation(operator, 'tracker.key_create', { site, kind: 'server' })
    await runOperation(operator, 'property.add', { site, ...PROPERTY })
    for (const definition of CONVERSIONS) await runOperation(operator, 'conversion.add', { site, definition })
    await runOperation(operator, 'funnel.add', { site, definition: FUNNEL })
    const events = seedVisits(site, seed)
    const moveTo = (instant: number) => {
      stop.throwIfAborted()
      now = instant
    }
    let taken = 0
    for (const { from, to } of collectorRuns(now, seed.now)) {
      const visits = events.filter(({ at }) => at >= from && at <= to)
      moveTo(from)
      const collector = await installation.openCollector({ max_silence_ms: Number.POSITIVE_INFINITY })
      try {
        await sendVisits({ collector, moveTo, public_key: public_id as string, server_key: secret }, visits, to)
      } finally {
        await collector.stop()
      }
      taken += visits.length
    }
    moveTo(seed.now)
    const { control, clock: service_clock, outgoing, secrets } = installation
    const { evidence } = await installation.crawlers()
    const { payload_folder, account_id } = operator
    const asking = { control, clock: service_clock, evidence, outgoing, secrets, payload_folder, log: opening.log }
    await playBrand(asking, { account_id, site_id, domain: site }, seed)
    return taken
  } catch (error) {
    if (stop.aborted) return null
    throw error
  } finally {
    await installation.close()
  }
}

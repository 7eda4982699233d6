/** What the demo's site has lived through before it is served: its owner's definitions, and visitors that a collector took day by day. */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { Config } from '#config.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import type { Seed } from '#demo/seed.ts'
import { seedVisits } from '#demo/seed-visits.ts'
import { sendVisits, type TrackedEvent } from '#demo/visits.ts'
import { openInstallation } from '#installation.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { openCommandLog } from './command-log.ts'

/** The collector was down for a morning, so many days before the end: coverage shows it. */
const OUTAGE_DAYS_BACK = 9
const OUTAGE = { from: 8 * HOUR_MS, to: 12 * HOUR_MS }

const SIGNED_UP = { name: 'Signed up', matcher: { kind: 'event', event_name: 'signup' } }
const PAID = {
  name: 'Signed up for a paid plan',
  matcher: {
    kind: 'event',
    event_name: 'signup',
    property_rules: [{ property_key: 'plan', operator: 'one_of', comparison: { values: ['pro', 'team'] } }],
  },
}
const FUNNEL = {
  name: 'Pricing to sign-up',
  steps: [
    { kind: 'page', path: '/pricing' },
    { kind: 'page', path: '/signup' },
    { kind: 'conversion', conversion: SIGNED_UP.name },
  ],
}

/** Makes the site on an empty data folder and lets it live until `seed.now`. How many events were taken; null: it was asked to stop. */
export async function liveThrough(
  config: Config,
  domain: string,
  seed: Seed,
  stop: AbortSignal,
): Promise<number | null> {
  let now = dayStart(utcDay(seed.now - seed.days * DAY_MS))
  const clock = { now: () => now, elapsed: () => performance.now() }
  const opening = { config, clock, log: openCommandLog('warn'), wait_ms: 0, is_clock_simulated: true }
  const installation = await openInstallation(opening)
  try {
    const { operator } = installation
    const of = { site: domain }
    await runOperation(operator, 'site.add', { domain })
    const { public_id } = await runOperation(operator, 'tracker.enable', of)
    const { secret } = await runOperation(operator, 'tracker.key_create', { ...of, kind: 'server' })
    const plan = {
      event_name: 'signup',
      property_key: 'plan',
      scalar_kind: 'enum' as const,
      enum_values: ['free', 'pro', 'team'],
    }
    await runOperation(operator, 'property.add', { ...of, ...plan })
    for (const definition of [SIGNED_UP, PAID]) await runOperation(operator, 'conversion.add', { ...of, definition })
    await runOperation(operator, 'funnel.add', { ...of, definition: FUNNEL })
    const events = seedVisits(domain, seed)
    const moveTo = (instant: number) => {
      stop.throwIfAborted()
      now = instant
    }
    let taken = 0
    for (const { from, to, told } of livesOf(events, now, seed.now)) {
      moveTo(from)
      const collector = await installation.openCollector({ longest_silence_ms: Number.POSITIVE_INFINITY })
      try {
        await sendVisits({ collector, moveTo, public_key: public_id as string, server_key: secret }, told, to)
      } finally {
        await collector.stop()
      }
      taken += told.length
    }
    return taken
  } catch (error) {
    if (stop.aborted) return null
    throw error
  } finally {
    await installation.close()
  }
}

/** When a collector was up, and what it took then. */
function livesOf(events: readonly TrackedEvent[], begins: number, ends: number) {
  const morning = dayStart(utcDay(ends - OUTAGE_DAYS_BACK * DAY_MS))
  const outage = { from: morning + OUTAGE.from, to: morning + OUTAGE.to }
  const lives =
    outage.from > begins
      ? [
          { from: begins, to: outage.from },
          { from: outage.to, to: ends },
        ]
      : [{ from: begins, to: ends }]
  return lives.map(({ from, to }) => ({ from, to, told: events.filter(({ at }) => at >= from && at <= to) }))
}

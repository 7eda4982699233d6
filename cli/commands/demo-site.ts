/** Replays the history of the demo's site before it is served: its owner's choices, crawlers, visitors and brand. */
import { Readable } from 'node:stream'
import { DAY_MS } from '#clock.ts'
import type { Config } from '#config.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { collectorRuns } from '#demo/collector-runs.ts'
import { CONVERSIONS, FUNNEL, PROPERTY } from '#demo/owner-definitions.ts'
import { type BrandPlay, startBrand } from '#demo/play-brand.ts'
import { playHistory } from '#demo/play-history.ts'
import type { Seed } from '#demo/seed.ts'
import { seedVisits } from '#demo/seed-visits.ts'
import { SITE } from '#demo/stories.ts'
import { sendVisits } from '#demo/visits.ts'
import { answerDemoHosts, CHAT_HOOK, PAGER_HOOK } from '#demo/web.ts'
import type { Installation } from '#installation/installation.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { openCommandLog } from '../host/command-log.ts'

export interface Played {
  /** Requests stored from the access log. */
  stored: number
  /** Of these, the requests of registered crawlers. */
  of_crawlers: number
  /** Accepted events of the tracker. */
  events: number
}

interface Play {
  installation: Installation
  seed: Seed
  /** Where the history begins, epoch milliseconds. */
  begins: number
  /** @throws when the demo was stopped. */
  moveTo(instant: number): void
}

/** The history is replayed twice: with its crawlers and the brand, then with its visitors. */
const PASSES = 2

/**
 * Makes the site in an empty data folder and replays its history until `seed.now`. Null: stopped.
 * @param onProgress is called with the share that was replayed, 0 to 1, which never decreases.
 */
export async function playSite(
  config: Config,
  seed: Seed,
  stop: AbortSignal,
  onProgress: (share: number) => void = () => {},
): Promise<Played | null> {
  const begins = dayStart(utcDay(seed.now - seed.days * DAY_MS))
  let now = begins
  const clock = { now: () => now, elapsed: () => performance.now(), shared: () => now }
  const installation = await openInstallation({
    config,
    clock,
    log: openCommandLog('warn'),
    wait_ms: 0,
    is_clock_simulated: true,
    standIn: (outgoing) => answerDemoHosts(outgoing, seed, clock),
  })
  let [passes, most] = [0, 0]
  const moveTo = (instant: number) => {
    stop.throwIfAborted()
    now = instant
    most = Math.max(most, (passes + (now - begins) / (seed.now - begins)) / PASSES)
    onProgress(Math.min(1, most))
  }
  const play = { installation, seed, begins, moveTo }
  try {
    const { operator } = installation
    const site = await runOperation(operator, 'site.add', { domain: SITE })
    for (const webhook of [CHAT_HOOK, PAGER_HOOK]) await runOperation(operator, 'alert.add', { site: SITE, webhook })
    const brand = await startBrandOf(play, site.id)
    const crawled = await playCrawlers(play, site.id, brand)
    passes += 1
    moveTo(begins)
    const events = await playVisits(play)
    return { ...crawled, events }
  } catch (error) {
    if (stop.aborted) return null
    throw error
  } finally {
    await installation.close()
  }
}

async function playCrawlers(
  { installation, seed, moveTo }: Play,
  site_id: string,
  brand: BrandPlay,
): Promise<Omit<Played, 'events'>> {
  const { operator, outgoing, secrets } = installation
  let [stored, of_crawlers] = [0, 0]
  await playHistory(
    {
      crawlers: await installation.crawlers(),
      outgoing,
      secrets,
      site_id,
      moveTo,
      log: openCommandLog('warn'),
      async importLog(text) {
        const asked = { site: SITE, host: null, label: 'seeded history' }
        const receipt = await installation.importLog(asked, Readable.from([Buffer.from(text)]), () => {})
        stored += receipt.stored
        of_crawlers += receipt.stored - receipt.automated_unlabelled
      },
      liveUntil: (instant) => brand.liveUntil(instant),
      async markIntended({ path, crawlers: [crawler] }) {
        const mark = { site: SITE, host: SITE, path, harm: 'refused' as const, ...(crawler && { crawler }) }
        await runOperation({ ...operator, is_clock_simulated: false }, 'issue.intended', mark)
      },
    },
    seed,
  )
  await brand.end()
  return { stored, of_crawlers }
}

/** Replays the visitors day by day; returns the number of accepted events. */
async function playVisits({ installation, seed, begins, moveTo }: Play): Promise<number> {
  const { operator } = installation
  const { public_id } = await runOperation(operator, 'tracker.enable', { site: SITE })
  const { secret } = await runOperation(operator, 'tracker.key_create', { site: SITE, kind: 'server' })
  await runOperation(operator, 'property.add', { site: SITE, ...PROPERTY })
  for (const definition of CONVERSIONS) await runOperation(operator, 'conversion.add', { site: SITE, definition })
  await runOperation(operator, 'funnel.add', { site: SITE, definition: FUNNEL })
  const events = seedVisits(SITE, seed)
  let taken = 0
  for (const { from, to } of collectorRuns(begins, seed.now)) {
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
  return taken
}

/** The owner's brand, with made-up answers. No engine is asked. */
async function startBrandOf({ installation, seed, moveTo }: Play, site_id: string): Promise<BrandPlay> {
  const { control, clock, outgoing, secrets, operator } = installation
  const { evidence } = await installation.crawlers()
  const { payload_folder, account_id } = operator
  const log = openCommandLog('warn')
  return startBrand(
    { control, clock, evidence, outgoing, secrets, payload_folder, log },
    { account_id, site_id, domain: SITE, moveTo },
    seed,
  )
}

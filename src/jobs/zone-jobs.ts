/** What keeps connected zones going: their polls (decisions 3.7). */
import { MINUTE_MS } from '#clock.ts'
import type { ZoneContext } from '#intake/cloudflare/context.ts'
import { pollZones } from '#intake/cloudflare/poll-zones.ts'
import type { Job } from './job.ts'

export const POLL_ZONES = 'poll_zones'

/** `onRead` is called when hours were read, whose days are dirty now. */
export const zoneJobs = (ctx: ZoneContext, onRead: () => void): Job[] => [
  {
    name: POLL_ZONES,
    every_ms: MINUTE_MS,
    rests_under_simulated_clock: true,
    async run(signal) {
      const { hours } = await pollZones(ctx, signal)
      if (hours > 0) onRead()
    },
  },
]

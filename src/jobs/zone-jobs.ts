/** Polls of connected zones (decisions 3.7). */
import type { ZoneContext } from '#intake/cloudflare/context.ts'
import { pollZones } from '#intake/cloudflare/poll-zones.ts'
import { type Job, restingJob } from './job.ts'

export const POLL_ZONES = 'poll_zones'

/** `onRead` is called after hours were read, whose days are dirty now. */
export const zoneJobs = (ctx: ZoneContext, onRead: () => void): Job[] => [
  restingJob({
    name: POLL_ZONES,
    async run(signal) {
      const { hours } = await pollZones(ctx, signal)
      if (hours > 0) onRead()
    },
  }),
]

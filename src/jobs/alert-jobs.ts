/** Jobs that send alerts and delete old ones; they do not run under a simulated clock (rules 4, 8.6). */
import { type DeliverContext, deliverAlerts } from '#alerts/deliver.ts'
import { forgetAlerts } from '#alerts/deliveries.ts'
import { watchConditions } from '#alerts/watch-conditions.ts'
import { DAY_MS } from '#clock.ts'
import { type Job, restingJob } from './job.ts'

export const DELIVER_ALERTS = 'deliver_alerts'

/** `deliverSoon` is called after alerts that are due at once were recorded. */
export const alertJobs = (ctx: DeliverContext, deliverSoon: () => void): Job[] => [
  restingJob({
    name: 'watch_conditions',
    async run(_signal, lease) {
      if ((await watchConditions(ctx, (trx) => lease.check(trx))) > 0) deliverSoon()
    },
  }),
  restingJob({ name: DELIVER_ALERTS, run: (signal, lease) => deliverAlerts(ctx, signal, (trx) => lease.check(trx)) }),
  restingJob({ name: 'forget_alerts', every_ms: DAY_MS, run: () => forgetAlerts(ctx) }),
]

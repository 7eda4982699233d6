/** Inspections of pages, which rest under a simulated clock (rules 8.3). */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import { forgetOldInspections } from '#inspections/forget-inspections.ts'
import { type PlanContext, planHomeInspections } from '#inspections/plan-homes.ts'
import { type RunInspectionsContext, runDueInspections } from '#inspections/run-due.ts'
import { type Job, restingJob } from './job.ts'

export const INSPECT_PAGES = 'inspect_pages'

/** Jobs that plan inspections, make due ones and delete old ones. */
export const inspectionJobs = (ctx: RunInspectionsContext & PlanContext, inspectSoon: () => void): Job[] => [
  restingJob({ name: INSPECT_PAGES, run: (signal) => runDueInspections(ctx, signal) }),
  restingJob({
    name: 'plan_inspections',
    // Each site has one a day; sites without one today are found hourly.
    every_ms: HOUR_MS,
    async run(signal) {
      if ((await planHomeInspections(ctx, signal)) > 0) inspectSoon()
    },
  }),
  restingJob({ name: 'forget_inspections', every_ms: DAY_MS, run: () => forgetOldInspections(ctx) }),
]

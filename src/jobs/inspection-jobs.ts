/** Spoor's own looks at pages; they ask outside, and rest under a simulated clock (rules 8.3). */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import { forgetOldInspections } from '#inspections/forget-old.ts'
import { type PlanContext, planHomeInspections } from '#inspections/plan-homes.ts'
import { type RunInspectionsContext, runDueInspections } from '#inspections/run-due.ts'
import type { Job } from './job.ts'

export const INSPECT_PAGES = 'inspect_pages'

export const inspectionJobs = (ctx: RunInspectionsContext & PlanContext, inspectSoon: () => void): Job[] => [
  {
    name: INSPECT_PAGES,
    every_ms: MINUTE_MS,
    rests_under_simulated_clock: true,
    run: (signal) => runDueInspections(ctx, signal),
  },
  {
    name: 'plan_inspections',
    // Looks often which hosts have had none today.
    every_ms: HOUR_MS,
    rests_under_simulated_clock: true,
    async run(signal) {
      if ((await planHomeInspections(ctx, signal)) > 0) inspectSoon()
    },
  },
  {
    name: 'forget_inspections',
    every_ms: DAY_MS,
    rests_under_simulated_clock: true,
    run: () => forgetOldInspections(ctx),
  },
]

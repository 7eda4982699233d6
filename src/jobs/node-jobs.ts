import { DAY_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import { deleteOldNodes } from '#nodes/delete-nodes.ts'
import { type Job, restingJob } from './job.ts'

/** Jobs of installations with several nodes (decisions 8.2). */
export const nodeJobs = (ctx: ControlContext): Job[] => [
  restingJob({ name: 'forget_nodes', every_ms: DAY_MS, run: () => deleteOldNodes(ctx) }),
]

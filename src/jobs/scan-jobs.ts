/** Asks engines, and deletes answers past their retention. These jobs rest under a simulated clock. */

import { endAnswerRetention } from '#brands/scans/answer-retention.ts'
import type { ScanContext } from '#brands/scans/context.ts'
import { deleteOldPayloads } from '#brands/scans/payloads.ts'
import { runDueScans } from '#brands/scans/run-due.ts'
import { classifyMentions } from '#brands/sentiment/classify-mentions.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import { whileClockTrusted } from '#retention/trusted-clock.ts'
import type { Job } from './job.ts'

/** Due at once after a scan is started. */
export const RUN_SCANS = 'run_scans'
/** Due at once after a person starts a classification. */
export const CLASSIFY_MENTIONS = 'classify_mentions'

/** Jobs of the folder, because answers are stored in its evidence. */
const ofFolder = { belongs_to_folder: true, rests_under_simulated_clock: true, limit_ms: DAY_MS } as const

/** Jobs that ask due questions, classify mentions and enforce the retention of answers. */
export const scanJobs = (ctx: ScanContext): Job[] => [
  { name: RUN_SCANS, every_ms: MINUTE_MS, ...ofFolder, run: (signal) => runDueScans(ctx, signal) },
  { name: CLASSIFY_MENTIONS, every_ms: MINUTE_MS, ...ofFolder, run: (signal) => classifyMentions(ctx, signal) },
  {
    name: 'end_answer_retention',
    every_ms: HOUR_MS,
    ...ofFolder,
    run: () => whileClockTrusted(ctx, () => endAnswerRetention(ctx)),
  },
  {
    name: 'delete_payloads',
    every_ms: HOUR_MS,
    ...ofFolder,
    // Each node has the raw responses that it received.
    runs_on_each_node: true,
    run: () => whileClockTrusted(ctx, () => deleteOldPayloads(ctx)),
  },
]

/** Asks for a background job without waiting for it. */
import type { Logger } from 'pino'
import type { JobRequests } from '#jobs/job-requests.ts'
import { GateClosed } from '#move/write-gate.ts'

/**
 * Returns a function that makes the job due; if that fails, `otherwise` is logged, because the job then runs later. It
 * is not logged while the gate is closed: a service whose installation has moved runs no job later either.
 */
export const requestSoon =
  (jobs: Pick<JobRequests, 'request'>, log: Logger) => (job: string, otherwise: string) => (): void => {
    jobs.request(job).catch((error: unknown) => {
      if (!(error instanceof GateClosed)) log.warn({ err: error, job }, otherwise)
    })
  }

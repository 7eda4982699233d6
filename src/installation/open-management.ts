/** The services of management operations in this process. */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { welcomeLink } from '#accounts/one-time-links.ts'
import type { Mailer } from '#alerts/mailer.ts'
import { searchApisOf } from '#brands/search-data/read-source.ts'
import type { Clock } from '#clock.ts'
import type { Config } from '#config.ts'
import type { QuotaStore } from '#control/quotas/quota-store.ts'
import type { ControlStore } from '#control/store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { checkHealth, type ServiceState } from '#health/check-health.ts'
import { addCircumstance } from '#health/circumstances.ts'
import type { CloudflareAccess } from '#intake/cloudflare/context.ts'
import { MAX_VERIFY_WAIT_MS } from '#issues/verify-fix.ts'
import { ERASE_SITES } from '#jobs/folder-jobs.ts'
import { INSPECT_PAGES } from '#jobs/inspection-jobs.ts'
import type { JobRequests } from '#jobs/job-requests.ts'
import { CLASSIFY_MENTIONS, RUN_SCANS } from '#jobs/scan-jobs.ts'
import { POLL_SEARCH } from '#jobs/search-data-jobs.ts'
import { POLL_ZONES } from '#jobs/zone-jobs.ts'
import type { ManagementServices } from '#management-services.ts'
import { refuseMoved } from '#move/move-state.ts'
import { type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import type { CollectionState } from '#tracker/context.ts'
import type { InstallationFolders } from './folders.ts'
import { requestSoon } from './request-soon.ts'

export interface ManagementParts {
  config: Config
  clock: Clock
  control: ControlStore
  log: Logger
  folders: InstallationFolders
  jobs: JobRequests
  quotas: QuotaStore
  secrets: SecretBox
  mailer: Mailer | null
  outgoing: SafeFetchContext
  cloudflare: CloudflareAccess
  /** Nothing is sent to other servers then. */
  is_clock_simulated: boolean
  /** Where people reach the service with a browser. */
  origin(): string
  crawlers(): Promise<CrawlerContext>
  collection(): CollectionState
  verify_wait_ms: number | undefined
  serviceState: ((jobs: JobRequests) => ServiceState) | undefined
}

/** Builds the services of management operations from the parts of an open installation. */
export function openManagement(parts: ManagementParts): ManagementServices {
  const { config, clock, control, log, jobs, secrets, outgoing, is_clock_simulated, origin, crawlers } = parts
  const { folder } = parts.folders
  const request = (name: string) => requestSoon(jobs, log)(name, 'a job runs a minute late')
  return {
    control,
    clock,
    is_clock_simulated,
    secrets,
    mailer: parts.mailer,
    origin,
    public_url: config.public_url,
    welcomeLink: (token) => welcomeLink(origin(), token),
    crawlers,
    collection: parts.collection,
    outgoing: is_clock_simulated ? null : outgoing,
    fetchList: is_clock_simulated ? null : (url, bounds) => safeFetch(outgoing, url, bounds),
    cloudflare: is_clock_simulated ? null : parts.cloudflare,
    search_apis: is_clock_simulated ? null : searchApisOf(config, outgoing),
    payload_folder: join(folder, 'payloads'),
    eraseSoon: request(ERASE_SITES),
    scanSoon: request(RUN_SCANS),
    classifySoon: request(CLASSIFY_MENTIONS),
    pollSoon: request(POLL_ZONES),
    pollSearchSoon: request(POLL_SEARCH),
    verification: { inspectSoon: request(INSPECT_PAGES), wait_ms: parts.verify_wait_ms ?? MAX_VERIFY_WAIT_MS },
    checkHealth: async () => {
      const findings = await checkHealth({
        folder,
        clock,
        control,
        secrets,
        quotas: parts.quotas,
        collection: parts.collection,
        refuseMoved: () => refuseMoved(folder, config),
        evidence: async () => (await crawlers()).evidence,
        public_url: config.public_url,
        service: parts.serviceState?.(jobs) ?? null,
      })
      return addCircumstance(findings, { control, is_clock_simulated })
    },
  }
}

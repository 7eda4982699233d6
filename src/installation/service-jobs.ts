/** Every job that a service runs, with what it works on. */
import type { Logger } from 'pino'
import type { DeliverContext } from '#alerts/deliver.ts'
import type { ScanContext } from '#brands/scans/context.ts'
import { searchApisOf } from '#brands/search-data/read-source.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { ZoneContext } from '#intake/cloudflare/context.ts'
import { ChangedSites } from '#issues/changed-sites.ts'
import { alertJobs, DELIVER_ALERTS } from '#jobs/alert-jobs.ts'
import { folderJobs, REBUILD } from '#jobs/folder-jobs.ts'
import { identityJobs } from '#jobs/identity-jobs.ts'
import { INSPECT_PAGES, inspectionJobs } from '#jobs/inspection-jobs.ts'
import { intakeJobs } from '#jobs/intake-jobs.ts'
import { DETECT_CHANGED, issueJobs } from '#jobs/issue-jobs.ts'
import type { Job } from '#jobs/job.ts'
import { leasedJobs } from '#jobs/leased-jobs.ts'
import { nodeJobs } from '#jobs/node-jobs.ts'
import { scanJobs } from '#jobs/scan-jobs.ts'
import { searchDataJobs } from '#jobs/search-data-jobs.ts'
import { snippetJobs } from '#jobs/snippet-jobs.ts'
import { zoneJobs } from '#jobs/zone-jobs.ts'
import { askNameServers } from '#outgoing/name-servers.ts'
import type { CollectionState } from '#tracker/context.ts'
import type { InspectionContext } from '#tracker/coverage/inspect-snippets.ts'
import type { Installation } from './installation.ts'
import { requestSoon } from './request-soon.ts'

/** Functions that are called with what jobs have done. */
export interface JobObservers {
  onZonePolled: NonNullable<ZoneContext['onPolled']>
  onEngineCall: NonNullable<ScanContext['onCallEnded']>
  onSnippetInspected: NonNullable<InspectionContext['onInspected']>
  onAlertAttempt: NonNullable<DeliverContext['onAttempt']>
}

export interface ServiceJobsContext {
  installation: Installation
  crawlers: CrawlerContext
  collection: CollectionState
  observers: JobObservers
  log: Logger
}

export interface ServiceJobs {
  jobs: Job[]
  /** Makes the rebuild of roll-ups due at once, after evidence has come in. */
  rebuildSoon(): void
  /** Ends the notifications of derived days. */
  stop(): void
}

/** Lists the jobs, and requests those that are due because other work ended. */
export function serviceJobs({ installation, crawlers, collection, observers, log }: ServiceJobsContext): ServiceJobs {
  const { config, control, clock, operator, outgoing, secrets } = installation
  const soon = requestSoon(installation.jobs, log)
  const rebuildSoon = soon(REBUILD, 'roll-ups are rebuilt in a minute')
  const detectSoon = soon(DETECT_CHANGED, 'issues are detected in a minute')
  const inspectSoon = soon(INSPECT_PAGES, 'inspections are made in a minute')
  const deliverSoon = soon(DELIVER_ALERTS, 'alerts are delivered in a minute')
  const changed_sites = new ChangedSites()
  const onInspected = ({ site_id }: { site_id: string }) => {
    changed_sites.add(site_id)
    detectSoon()
  }
  const { evidence } = crawlers
  const { fetchList, payload_folder } = operator
  const { onZonePolled, onEngineCall, onSnippetInspected, onAlertAttempt } = observers
  const name_servers = askNameServers(config.dns_servers)
  const search_apis = searchApisOf(config, outgoing)
  return {
    rebuildSoon,
    stop: changed_sites.listen(crawlers.derived, detectSoon),
    jobs: [
      ...folderJobs({ ...crawlers, collection, key_uses: installation.key_uses }),
      ...leasedJobs({ control, clock }),
      ...(installation.is_node ? nodeJobs({ control, clock }) : []),
      ...identityJobs({ ...crawlers, fetchList, name_servers }),
      ...zoneJobs({ ...crawlers, cloudflare: installation.cloudflare, onPolled: onZonePolled }, rebuildSoon),
      ...searchDataJobs({ ...crawlers, secrets, search_apis }),
      ...intakeJobs(crawlers),
      ...issueJobs({ ...crawlers, changed_sites }),
      ...inspectionJobs({ ...crawlers, log, outgoing, public_url: config.public_url, onInspected }, inspectSoon),
      ...scanJobs({ control, clock, evidence, log, outgoing, secrets, payload_folder, onCallEnded: onEngineCall }),
      ...snippetJobs({ control, clock, outgoing, onInspected: onSnippetInspected }),
      ...alertJobs({ ...operator, onAttempt: onAlertAttempt }, deliverSoon),
    ],
  }
}

/** What the functions behind management operations work with, whichever surface calls them. */
import type { Mailer } from '#alerts/mailer.ts'
import type { SearchApis } from '#brands/search-data/read-source.ts'
import type { Clock } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { FetchList } from '#crawlers/identity/lists/load-lists.ts'
import type { Finding } from '#health/findings.ts'
import type { CloudflareAccess } from '#intake/cloudflare/context.ts'
import type { Verification } from '#issues/verify-fix.ts'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import type { CollectionState } from '#tracker/context.ts'

export interface ManagementServices {
  control: ControlStore
  clock: Clock
  /** `clock` does not show the machine's time: no requests to other servers and no alerts are sent. */
  is_clock_simulated: boolean
  /** Encrypts secrets that are stored and read again later. */
  secrets: SecretBox
  /** Where people reach the service with a browser: scheme, host and port, no slash at the end. */
  origin(): string
  /** The public address of the service; null when it is not set. */
  public_url: string | null
  /** The address at which a one-time link is opened. */
  welcomeLink(token: string): string
  /** The context of `safeFetch`; null if Spoor may not send requests to other servers. */
  outgoing: SafeFetchContext | null
  /** Sends e-mail; null when no SMTP server is configured, or nothing may go outside. */
  mailer: Mailer | null
  /** Opens the evidence store when it is first needed: most operations need none. */
  crawlers(): Promise<CrawlerContext>
  /** The state of this process's collector, for answers about visitors. */
  collection(): CollectionState
  /** Called after a site is gone from the control store, so that its evidence follows. */
  eraseSoon(): void
  /** Loads published lists of addresses; null when nothing may go outside. */
  fetchList: FetchList | null
  /** Asks Cloudflare for zones; null when nothing may go outside. */
  cloudflare: CloudflareAccess | null
  /** The folder of raw responses of engines. */
  payload_folder: string
  /** Called after a scan began, so that its questions are asked. */
  scanSoon(): void
  /** Called after a classification of stored mentions began, so that it is asked. */
  classifySoon(): void
  /** Asks search engines for what they show of pages; null when nothing may go outside. */
  search_apis: SearchApis | null
  /** Called after a search engine was connected, so that it is asked. */
  pollSearchSoon(): void
  /** Called after a zone was connected, so that it is polled. */
  pollSoon(): void
  /** Makes waiting inspections due, and says how long an answer waits for one. */
  verification: Verification
  /** Runs the doctor's checks. */
  checkHealth(): Promise<Finding[]>
}

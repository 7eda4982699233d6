/** An opened data folder: its stores, and what a process can do with them. */
import type { Logger } from 'pino'
import type { AccountTokenCaller, SiteKeyCaller } from '#accounts/caller.ts'
import type { KeyUses } from '#accounts/key-uses.ts'
import type { Mailer } from '#alerts/mailer.ts'
import type { BackupStream } from '#backup/take.ts'
import type { KeyedBatches } from '#brands/questions/keyed-batches.ts'
import type { Clock } from '#clock.ts'
import type { Config } from '#config.ts'
import type { QuotaStore } from '#control/quotas/quota-store.ts'
import type { ControlStore } from '#control/store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { StatementObserver } from '#evidence/observe.ts'
import type { ServiceState } from '#health/check-health.ts'
import type { Liveness } from '#health/liveness.ts'
import type { CloudflareAccess } from '#intake/cloudflare/context.ts'
import type { ImportProgress } from '#intake/import/import-log.ts'
import type { LogImportInput } from '#intake/import/import-options.ts'
import type { ImportReceipt } from '#intake/import/receipt.ts'
import type { JobRequests } from '#jobs/job-requests.ts'
import type { ManagementServices } from '#management-services.ts'
import type { Listening } from '#outgoing/own-endpoints.ts'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import type { Deliverer } from '#sources/authenticate-token.ts'
import type { Collector, CollectorOptions } from '#tracker/collection/collector.ts'
import type { CollectorContext } from '#tracker/collection/context.ts'
import type { MayCreate } from './missing-installation.ts'
import type { Moves } from './open-moves.ts'
import type { OpenedNodes } from './open-nodes.ts'

/** The control store is open; the evidence store opens when it is first needed, because most commands need none. */
export interface Installation extends Moves {
  config: Config
  clock: Clock
  control: ControlStore
  key_uses: KeyUses
  /** Counts requests of account tokens; opened by the first of them. */
  quotas: QuotaStore
  /** Batches of questions with a key that run now. */
  keyed_batches: KeyedBatches
  /** The context of `safeFetch`. */
  outgoing: SafeFetchContext
  /** Encrypts secrets that are stored and read again later. */
  secrets: SecretBox
  /** Sends e-mail; null when no SMTP server is configured, or nothing may go outside. */
  mailer: Mailer | null
  /** Connects and polls zones. */
  cloudflare: CloudflareAccess
  /** What management operations work with, and the operator's account at the start. */
  operator: OperatorServices
  /** Makes jobs due at once. */
  jobs: JobRequests
  /** Opens the evidence store once, repairs what a crash left, and brings the labels up to date. */
  crawlers(): Promise<CrawlerContext>
  /** Takes the tracker's events from now on; for the one process that serves. */
  openCollector(options?: CollectorOptions): Promise<Collector>
  /** One of several services on the same stores, or may become one. */
  is_node: boolean
  /** The state of this process as one of them. */
  nodes: Pick<OpenedNodes, 'isReady' | 'isClockWrong'>
  /** Imports one log into a site of the operator, named by id or domain. */
  importLog(
    input: LogImportInput,
    chunks: AsyncIterable<Uint8Array>,
    onProgress: (progress: ImportProgress) => void,
  ): Promise<ImportReceipt>
  /** Calls `take` with a backup of both stores as of now. */
  backup<T>(take: (archive: BackupStream) => Promise<T>): Promise<T>
  authenticate(secret: string): Promise<SiteKeyCaller | null>
  authenticateToken(secret: string): Promise<Deliverer | null>
  authenticateAccountToken(secret: string): Promise<AccountTokenCaller | null>
  close(): Promise<void>
}

export type OperatorServices = ManagementServices & { account_id: string; user_id: string }

export interface InstallationOptions {
  config: Config
  clock: Clock
  log: Logger
  /** How much may be created where something is missing; left out: all of a new installation. */
  may_create?: MayCreate
  /** How long to wait for another process to release the folder, in milliseconds. */
  wait_ms: number
  /** `clock` does not show the machine's time: nothing may be deleted by its age. */
  is_clock_simulated?: boolean
  /** Where the service listens, filled in as it opens; left out, where the configuration says. */
  listening?: Listening
  /** Checks the embedded stores once they are open: servers that do not answer are not a hang of this process. */
  liveness?: Liveness | null
  /** Is called after every statement of the evidence store. */
  onStatement?: StatementObserver
  /** Is called with the counts of the tracker's events. */
  onCounted?: CollectorContext['onCounted']
  /** Answers in place of other servers, for those that it knows. */
  standIn?: (outgoing: SafeFetchContext) => SafeFetchContext
  /** How long a verification waits for its inspection; 30 seconds unless given. */
  verify_wait_ms?: number
  /** Called when this process must stop working; by default it ends, to be started again (`NodesContext`). */
  onFenced?: () => void
  /** What the doctor cannot read from the stores, where a service runs. */
  serviceState?: (jobs: JobRequests) => ServiceState
}

/** The first half of the composition root: a data folder becomes open stores and what they can do. */
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { authenticateAccountToken } from '#accounts/authenticate-account-token.ts'
import { authenticateSiteKey } from '#accounts/authenticate-site-key.ts'
import type { AccountTokenCaller, SiteKeyCaller } from '#accounts/caller.ts'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { collectKeyUses, type KeyUses } from '#accounts/key-uses.ts'
import { welcomeLink } from '#accounts/one-time-links.ts'
import { type Mailer, openMailer } from '#alerts/mailer.ts'
import { CONTROL } from '#backup/manifest.ts'
import { finishMove } from '#backup/move-in.ts'
import { type BackupStream, clearBackupWork, takeBackup } from '#backup/take.ts'
import { KeyedBatches } from '#brands/questions/keyed-batches.ts'
import { searchApisOf } from '#brands/search-data/read-source.ts'
import type { Clock } from '#clock.ts'
import type { Config } from '#config.ts'
import { refuseDisk } from '#control/disk.ts'
import { type FolderLock, lockFolder } from '#control/folder-lock.ts'
import { migrations } from '#control/migrations/index.ts'
import { openQuotas } from '#control/quotas/open-quotas.ts'
import type { QuotaStore } from '#control/quotas/quota-store.ts'
import { openSqliteControl } from '#control/sqlite.ts'
import type { ControlStore } from '#control/store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { forgetOldAddresses, keepWaiting } from '#crawlers/identity/prove-pending-addresses.ts'
import { makeProver } from '#crawlers/identity/prover.ts'
import { IntakeMemory } from '#crawlers/intake-memory.ts'
import { openRegistryStore } from '#crawlers/registry/registry-store.ts'
import { DerivedDays } from '#derived/derivation-pace.ts'
import { observeEvidence, type StatementObserver } from '#evidence/observe.ts'
import type { EmbeddedEvidence } from '#evidence/store.ts'
import { checkHealth, type ServiceState } from '#health/check-health.ts'
import { addCircumstance } from '#health/circumstances.ts'
import type { Liveness } from '#health/liveness.ts'
import { type CloudflareAccess, cloudflareAccess } from '#intake/cloudflare/context.ts'
import { type ImportProgress, importLog } from '#intake/import/import-log.ts'
import { keepReceipt } from '#intake/import/kept-receipts.ts'
import type { ImportReceipt } from '#intake/import/receipt.ts'
import type { LogImportInput } from '#intake/import/request.ts'
import { MAX_VERIFY_WAIT_MS } from '#issues/verify-fix.ts'
import { ERASE_SITES } from '#jobs/folder-jobs.ts'
import { INSPECT_PAGES } from '#jobs/inspection-jobs.ts'
import { JobRequests } from '#jobs/job-requests.ts'
import { prepareEvidence } from '#jobs/prepare-evidence.ts'
import { refuseFarClock } from '#jobs/refuse-far-clock.ts'
import { refuseEmptyControl, refuseMissingControl } from '#jobs/refuse-lost-control.ts'
import { RUN_SCANS } from '#jobs/scan-jobs.ts'
import { POLL_SEARCH } from '#jobs/search-data-jobs.ts'
import { POLL_ZONES } from '#jobs/zone-jobs.ts'
import { configuredEndpoints, type Listening, openEndpoints } from '#outgoing/own-endpoints.ts'
import { resolveBy } from '#outgoing/resolve.ts'
import { type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'
import { Refusal } from '#refusal.ts'
import { openSecretBox, type SecretBox } from '#secrets/secret-box.ts'
import { findAnySite } from '#sites/find-site.ts'
import { authenticateToken, type Deliverer } from '#sources/authenticate-token.ts'
import { type Collector, type CollectorOptions, openCollector } from '#tracker/collection/collector.ts'
import type { CollectorContext } from '#tracker/collection/context.ts'
import { replayLeftEvents } from '#tracker/collection/replay-spool.ts'
import type { ManagementServices } from './management-services.ts'
import { Mutex } from './mutex.ts'
import { openOnce } from './open-once.ts'
import { refuseStore } from './refuse-store.ts'
import { version } from './version.ts'

/** An opened data folder: control at once, evidence when first asked for, because most commands need none. */
export interface Installation {
  config: Config
  clock: Clock
  control: ControlStore
  key_uses: KeyUses
  /** Counts requests of account tokens; opened by the first of them. */
  quotas: QuotaStore
  /** Batches of questions with a key that run now. */
  keyed_batches: KeyedBatches
  /** With it `safeFetch` asks other servers. */
  outgoing: SafeFetchContext
  /** Seals secrets that are stored and given back. */
  secrets: SecretBox
  /** Sends e-mail; null when no SMTP server is configured, or nothing may go outside. */
  mailer: Mailer | null
  /** With it and the stores zones are connected and polled. */
  cloudflare: CloudflareAccess
  /** What steering it works with, and its account with the operator at the start. */
  operator: ManagementServices & { account_id: string; user_id: string }
  /** How a job is asked for. */
  jobs: JobRequests
  /** Opens the evidence store once, repairs what a crash left, and brings the labels up to date. */
  crawlers(): Promise<CrawlerContext>
  /** Takes the tracker's events from now on; for the one process that serves. */
  openCollector(options?: CollectorOptions): Promise<Collector>
  /** Imports one log into a site of the operator, named by id or domain. */
  importLog(
    asked: LogImportInput,
    chunks: AsyncIterable<Uint8Array>,
    onProgress: (progress: ImportProgress) => void,
  ): Promise<ImportReceipt>
  /** Hands `take` a backup of both stores, as of now. */
  backup<T>(take: (archive: BackupStream) => Promise<T>): Promise<T>
  authenticate(secret: string): Promise<SiteKeyCaller | null>
  authenticateToken(secret: string): Promise<Deliverer | null>
  authenticateAccountToken(secret: string): Promise<AccountTokenCaller | null>
  close(): Promise<void>
}

export interface InstallationOptions {
  config: Config
  clock: Clock
  log: Logger
  /** How long to wait for another process to let go of the folder, in milliseconds. */
  wait_ms: number
  /** `clock` does not show the machine's time: nothing may be deleted by its age. */
  is_clock_simulated?: boolean
  /** Where the service listens, filled in as it opens; left out, where the configuration says. */
  listening?: Listening
  /** Receives both stores as soon as they are open. */
  liveness?: Liveness | null
  /** Sees every statement of the evidence store. */
  onStatement?: StatementObserver
  /** Sees what events of trackers are counted as. */
  onCounted?: CollectorContext['onCounted']
  /** What answers in place of servers outside, for those that it knows. */
  standIn?: (outgoing: SafeFetchContext) => SafeFetchContext
  /** How long a verification waits for its inspection; 30 seconds unless given. */
  verify_wait_ms?: number
  /** What the doctor cannot read from the stores, where a service runs. */
  serviceState?: (jobs: JobRequests) => ServiceState
}

/** In the data folder: events that wait for the evidence store. */
const SPOOL = 'spool'

/** Opens the data folder for this process alone; Refusal(store_busy) when another one has it. */
export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const { config, clock, log } = options
  const folder = resolve(config.data)
  const lock = await lockFolder(folder, { wait_ms: options.wait_ms })
  try {
    finishMove(folder)
    await clearBackupWork(folder)
    const folders = { folder, evidence: join(folder, 'evidence'), spool: join(folder, SPOOL) }
    if (config.database_url === null) await refuseMissingControl(join(folder, CONTROL), folders)
    const control = await openControl(folder, config, log)
    try {
      await refuseEmptyControl(control, folders)
      if (options.is_clock_simulated === true) await refuseFarClock(control, clock)
    } catch (error) {
      await control.close()
      throw error
    }
    options.liveness?.also(() => control.ping())
    const { account_id, user_id } = await ensureInstallation(control, clock)
    const jobs = new JobRequests({ control, clock })
    const request = (name: string) => () =>
      void jobs.request(name).catch((error: unknown) => log.warn({ err: error, job: name }, 'a job runs a minute late'))
    const uses = collectKeyUses({ control })
    const network: SafeFetchContext = {
      resolve: resolveBy(config.dns_servers),
      allow_networks: config.allow_networks,
      allow_ports: config.allow_ports,
      own_endpoints: () => [...configuredEndpoints(config), ...openEndpoints(config, options.listening)],
    }
    const outgoing = options.standIn?.(network) ?? network
    const quotas = await openQuotas(folder, config.database_url)
    const isSimulated = options.is_clock_simulated === true
    let embedded: EmbeddedEvidence | undefined
    const backups = new Mutex()
    const evidence = openOnce(async () => {
      // Loading the engine takes longer than most commands, which need none.
      const { openChdb } = await import('#evidence/chdb.ts')
      const engine = await openChdb({ folder: folders.evidence, memory_mb: config.evidence_memory_mb })
      const store = options.onStatement === undefined ? engine : observeEvidence(engine, clock, options.onStatement)
      options.liveness?.also(() => store.ping())
      const registries = openRegistryStore(control)
      const { trusted_proxies } = config
      const prover = makeProver({ clock, control, registries }, { asks_names: !isSimulated, trusted_proxies })
      const memory = { derived: new DerivedDays(), intake: new IntakeMemory(), is_clock_simulated: isSimulated }
      const crawlers: CrawlerContext = { clock, control, evidence: store, registries, prover, ...memory }
      try {
        await prepareEvidence(crawlers, log)
        if (!isSimulated) await forgetOldAddresses(crawlers)
        await replayLeftEvents({ ...crawlers, log }, folders.spool)
        await prover.refresh()
        embedded = engine
        return crawlers
      } catch (error) {
        await store.close()
        throw error
      }
    })
    const secrets = openSecretBox(folder, config)
    const cloudflare = cloudflareAccess(config.cloudflare_api_url, { outgoing, secrets })
    const mailer = isSimulated || config.smtp === null ? null : openMailer(config.smtp)
    const origin = () => config.public_url ?? options.listening?.http_url ?? `http://${config.host}:${config.port}`
    let collector: Collector | undefined
    const operator: Installation['operator'] = {
      ...{ control, clock, account_id, user_id, secrets, mailer, is_clock_simulated: isSimulated },
      outgoing: isSimulated ? null : outgoing,
      ...{ origin, public_url: config.public_url },
      welcomeLink: (token) => welcomeLink(origin(), token),
      crawlers: evidence.open,
      // Without a collector nothing waits to become readable.
      collection: () => collector ?? { readableThrough: () => clock.now() },
      eraseSoon: request(ERASE_SITES),
      fetchList: isSimulated ? null : (url, bounds) => safeFetch(outgoing, url, bounds),
      cloudflare: isSimulated ? null : cloudflare,
      payload_folder: join(folder, 'payloads'),
      ...{ scanSoon: request(RUN_SCANS), pollSoon: request(POLL_ZONES), pollSearchSoon: request(POLL_SEARCH) },
      search_apis: isSimulated ? null : searchApisOf(config, outgoing),
      verification: { inspectSoon: request(INSPECT_PAGES), wait_ms: options.verify_wait_ms ?? MAX_VERIFY_WAIT_MS },
      checkHealth: () =>
        checkHealth({
          folder,
          clock,
          control,
          evidence: async () => (await evidence.open()).evidence,
          public_url: config.public_url,
          service: options.serviceState?.(jobs) ?? null,
        }).then((findings) => addCircumstance(findings, { control, is_clock_simulated: isSimulated })),
    }
    return {
      ...{ config, clock, control, outgoing, secrets, mailer, cloudflare, quotas, jobs, operator },
      key_uses: uses,
      keyed_batches: new KeyedBatches(),
      crawlers: evidence.open,
      async openCollector(collecting) {
        const onCounted = options.onCounted === undefined ? {} : { onCounted: options.onCounted }
        collector = await openCollector(
          { ...(await evidence.open()), secrets, log, spool_folder: folders.spool, ...onCounted },
          collecting,
        )
        return collector
      },
      async importLog({ site: text, ...notes }, chunks, onProgress) {
        const site = await findAnySite({ control }, text)
        const crawlers = await evidence.open()
        const receipt = importLog(crawlers, { ...notes, site }, chunks, onProgress).catch((error: unknown) => {
          throw refuseStore(error, ' Then repeat the import, which doubles nothing.')
        })
        return keepReceipt({ control, clock }, { site_id: site.id, label: notes.label }, await receipt)
      },
      async backup(take) {
        await evidence.open()
        if (embedded === undefined) throw new Refusal('not_built', 'Only embedded stores are backed up.')
        const control_layout = Object.keys(migrations)
        return takeBackup({ control, evidence: embedded, clock, folder, version, control_layout, backups }, take).catch(
          (error: unknown) => {
            throw refuseDisk(refuseStore(error, ' Then repeat the backup.'))
          },
        )
      },
      authenticate: (secret) => authenticateSiteKey({ control, clock, uses }, secret),
      authenticateToken: (secret) => authenticateToken({ control, clock, uses }, secret),
      authenticateAccountToken: (secret) => authenticateAccountToken({ control, clock, uses }, secret),
      close: () => quotas.close().finally(() => closeAll(lock, control, quietly(uses, log), evidence.opened())),
    }
  } catch (error) {
    lock.release()
    throw refuseDisk(error)
  }
}

/** The control store may be on a server; the folder and its lock stay for the embedded evidence (decisions 8). */
async function openControl(folder: string, { database_url }: Config, log: Logger): Promise<ControlStore> {
  if (database_url === null) return openSqliteControl(join(folder, CONTROL))
  // Loaded only here: most installations have no server to speak to.
  const { openPostgresControl } = await import('#control/postgres.ts')
  return openPostgresControl(database_url, {
    onTrouble: (message) => log.warn({ reason: message }, 'the control store does not answer'),
  })
}

/** An absent control store must not keep a service from stopping: at most a minute of `last_used_at` is lost. */
function quietly(uses: KeyUses, log: Logger): KeyUses {
  const flush = () => uses.flush().catch((error: unknown) => log.warn({ err: error }, 'uses of keys were not noted'))
  return { ...uses, flush }
}

async function closeAll(
  lock: FolderLock,
  control: ControlStore,
  uses: KeyUses,
  crawlers: Promise<CrawlerContext> | undefined,
): Promise<void> {
  try {
    const opened = await crawlers?.catch(() => undefined)
    if (opened !== undefined) await keepWaiting(opened)
    await opened?.evidence.close()
    await uses.flush()
  } finally {
    await control.close().finally(() => lock.release())
  }
}

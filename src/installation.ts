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
import { lockFolder } from '#control/folder-lock.ts'
import { migrations } from '#control/migrations/index.ts'
import { openQuotas } from '#control/quotas/open-quotas.ts'
import type { QuotaStore } from '#control/quotas/quota-store.ts'
import type { ControlStore } from '#control/store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { forgetOldAddresses, keepWaiting } from '#crawlers/identity/prove-pending-addresses.ts'
import { makeProver } from '#crawlers/identity/prover.ts'
import { IntakeMemory } from '#crawlers/intake-memory.ts'
import { openRegistryStore } from '#crawlers/registry/registry-store.ts'
import { DerivedDays } from '#derived/derivation-pace.ts'
import { observeEvidence, type StatementObserver } from '#evidence/observe.ts'
import { checkHealth, type ServiceState } from '#health/check-health.ts'
import { addCircumstance } from '#health/circumstances.ts'
import type { Liveness } from '#health/liveness.ts'
import { type CloudflareAccess, cloudflareAccess } from '#intake/cloudflare/context.ts'
import { type ImportProgress, importLog } from '#intake/import/import-log.ts'
import type { LogImportInput } from '#intake/import/import-options.ts'
import { keepReceipt } from '#intake/import/kept-receipts.ts'
import type { ImportReceipt } from '#intake/import/receipt.ts'
import { MAX_VERIFY_WAIT_MS } from '#issues/verify-fix.ts'
import { ERASE_SITES } from '#jobs/folder-jobs.ts'
import { INSPECT_PAGES } from '#jobs/inspection-jobs.ts'
import { JobRequests } from '#jobs/job-requests.ts'
import { prepareEvidence } from '#jobs/prepare-evidence.ts'
import { refuseFarClock } from '#jobs/refuse-far-clock.ts'
import { refuseEmptyControl, refuseMissingControl } from '#jobs/refuse-lost-control.ts'
import { CLASSIFY_MENTIONS, RUN_SCANS } from '#jobs/scan-jobs.ts'
import { POLL_SEARCH } from '#jobs/search-data-jobs.ts'
import { POLL_ZONES } from '#jobs/zone-jobs.ts'
import { readMoveState, refuseMoved } from '#move/move-state.ts'
import { refuseUnfinishedCopy } from '#move/target.ts'
import { WriteGate } from '#move/write-gate.ts'
import { checkSecretKey } from '#nodes/check-secret-key.ts'
import { sharedClock } from '#nodes/shared-clock.ts'
import { configuredEndpoints, type Listening, openEndpoints } from '#outgoing/own-endpoints.ts'
import { resolveBy } from '#outgoing/resolve.ts'
import { type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'
import { openSecretBox, type SecretBox } from '#secrets/secret-box.ts'
import { findAnySite } from '#sites/find-site.ts'
import { authenticateToken, type Deliverer } from '#sources/authenticate-token.ts'
import type { Collector, CollectorOptions } from '#tracker/collection/collector.ts'
import type { CollectorContext } from '#tracker/collection/context.ts'
import { replayLeftEvents } from '#tracker/collection/replay-spool.ts'
import { closeAll, quietly } from './close-installation.ts'
import type { ManagementServices } from './management-services.ts'
import { Mutex } from './mutex.ts'
import { openControl } from './open-control.ts'
import { embeddedOnly, type OpenedEvidence, openEvidence } from './open-evidence.ts'
import { type Moves, openMoves } from './open-moves.ts'
import { type OpenedNodes, openNodes, SPOOL } from './open-nodes.ts'
import { openOnce } from './open-once.ts'
import { refuseStore } from './refuse-store.ts'
import { requestSoon } from './request-soon.ts'
import { type Makes, makesOfEvidence, requireInstallation } from './require-installation.ts'
import { version } from './version.ts'

/** An opened data folder: control at once, evidence when first asked for, because most commands need none. */
export interface Installation extends Moves {
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
  /** One of several services on the same stores, or may become one. */
  is_node: boolean
  /** How this process does as one of them. */
  nodes: Pick<OpenedNodes, 'isReady' | 'isClockApart'>
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
  /** How much may be made where something is missing; left out: all of a new installation. */
  makes?: Makes
  /** How long to wait for another process to let go of the folder, in milliseconds. */
  wait_ms: number
  /** `clock` does not show the machine's time: nothing may be deleted by its age. */
  is_clock_simulated?: boolean
  /** Where the service listens, filled in as it opens; left out, where the configuration says. */
  listening?: Listening
  /** Receives the embedded stores once they are open: of servers, silence is not a hang of this process. */
  liveness?: Liveness | null
  /** Sees every statement of the evidence store. */
  onStatement?: StatementObserver
  /** Sees what events of trackers are counted as. */
  onCounted?: CollectorContext['onCounted']
  /** What answers in place of servers outside, for those that it knows. */
  standIn?: (outgoing: SafeFetchContext) => SafeFetchContext
  /** How long a verification waits for its inspection; 30 seconds unless given. */
  verify_wait_ms?: number
  /** Called when this process may do nothing any more; by default it ends, to be started again (`NodesContext`). */
  onFenced?: () => void
  /** What the doctor cannot read from the stores, where a service runs. */
  serviceState?: (jobs: JobRequests) => ServiceState
}

/** Opens the data folder for this process alone; Refusal(store_busy) when another one has it. */
export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const { config, log, makes = 'all' } = options
  const clock = sharedClock(options.clock)
  await requireInstallation(config, makes)
  const folder = resolve(config.data)
  const lock = await lockFolder(folder, { wait_ms: options.wait_ms })
  try {
    refuseMoved(folder, config)
    finishMove(folder)
    await clearBackupWork(folder)
    const folders = { folder, evidence: join(folder, 'evidence'), spool: join(folder, SPOOL) }
    if (config.database_url === null) await refuseMissingControl(join(folder, CONTROL), folders)
    const opened = await openControl(folder, config, log)
    const gate = new WriteGate(() => readMoveState(folder)?.phase === 'moved')
    const control = gate.ofControl(opened)
    try {
      await refuseUnfinishedCopy(control)
      await refuseEmptyControl(control, folders)
      if (options.is_clock_simulated === true) await refuseFarClock(control, clock)
      if (config.clickhouse !== null) await checkSecretKey(control, config)
    } catch (error) {
      await control.close()
      throw error
    }
    if (config.database_url === null) options.liveness?.also(() => control.ping())
    const { account_id, user_id } = await ensureInstallation(control, clock)
    const jobs = new JobRequests({ control, clock })
    const request = (name: string) => requestSoon(jobs, log)(name, 'a job runs a minute late')
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
    const nodes = await openNodes({ ...options, clock, control, is_clock_simulated: isSimulated }, folder)
    const { node_id, turns } = nodes
    let stored: OpenedEvidence | undefined
    const backups = new Mutex()
    const evidence = openOnce(async () => {
      const may_make = await makesOfEvidence(config, control, makes)
      const engine = await openEvidence(config, { folder: folders.evidence, control, turns, makes: may_make })
      const gated = gate.ofEvidence(engine.store)
      const store = options.onStatement === undefined ? gated : observeEvidence(gated, clock, options.onStatement)
      if (config.clickhouse === null) options.liveness?.also(() => store.ping())
      const registries = openRegistryStore(control)
      const { trusted_proxies } = config
      const prover = makeProver({ clock, control, registries }, { asks_names: !isSimulated, trusted_proxies })
      const remembers = { derived: new DerivedDays(turns), intake: new IntakeMemory(node_id, turns) }
      const memory = { ...remembers, is_clock_simulated: isSimulated }
      const crawlers: CrawlerContext = { clock, control, evidence: store, registries, prover, ...memory }
      try {
        await prepareEvidence(crawlers, log)
        if (!isSimulated) await forgetOldAddresses(crawlers)
        await replayLeftEvents({ ...crawlers, log, origin: node_id }, folders.spool)
        await prover.refresh()
        stored = engine
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
    /** What only this process knows. */
    const keepKnown = async () => {
      const crawlers = await evidence.opened()?.catch(() => undefined)
      if (crawlers !== undefined) await keepWaiting(crawlers)
      await quietly(uses, log).flush()
    }
    const openEmbedded = () => evidence.open().then(() => stored?.embedded ?? null)
    const moves = openMoves({
      ...{ folder, clock, config, gate, keepKnown, control: opened, openEvidence: openEmbedded },
    })
    const operator: Installation['operator'] = {
      ...{ control, clock, account_id, user_id, secrets, mailer, is_clock_simulated: isSimulated },
      outgoing: isSimulated ? null : outgoing,
      ...{ origin, public_url: config.public_url, crawlers: evidence.open },
      welcomeLink: (token) => welcomeLink(origin(), token),
      collection: () => collector ?? nodes.collection,
      eraseSoon: request(ERASE_SITES),
      fetchList: isSimulated ? null : (url, bounds) => safeFetch(outgoing, url, bounds),
      cloudflare: isSimulated ? null : cloudflare,
      payload_folder: join(folder, 'payloads'),
      ...{ scanSoon: request(RUN_SCANS), classifySoon: request(CLASSIFY_MENTIONS) },
      ...{ pollSoon: request(POLL_ZONES), pollSearchSoon: request(POLL_SEARCH) },
      search_apis: isSimulated ? null : searchApisOf(config, outgoing),
      verification: { inspectSoon: request(INSPECT_PAGES), wait_ms: options.verify_wait_ms ?? MAX_VERIFY_WAIT_MS },
      checkHealth: () =>
        checkHealth({
          ...{ folder, clock, control, secrets },
          refuseMoved: () => refuseMoved(folder, config),
          evidence: async () => (await evidence.open()).evidence,
          public_url: config.public_url,
          service: options.serviceState?.(jobs) ?? null,
        }).then((findings) => addCircumstance(findings, { control, is_clock_simulated: isSimulated })),
    }
    return {
      ...{ config, clock, control, outgoing, secrets, mailer, cloudflare, quotas, jobs, operator, nodes },
      key_uses: uses,
      keyed_batches: new KeyedBatches(),
      crawlers: evidence.open,
      async openCollector(collecting) {
        const onCounted = options.onCounted === undefined ? {} : { onCounted: options.onCounted }
        collector = await nodes.collect({ ...(await evidence.open()), secrets, log, ...onCounted }, collecting)
        return collector
      },
      async importLog({ site: text, ...notes }, chunks, onProgress) {
        const site = await findAnySite({ control }, text)
        const crawlers = await evidence.open()
        const receipt = importLog(crawlers, { ...notes, site }, chunks, onProgress).catch((error: unknown) => {
          throw refuseStore(error, ' Then repeat the import; nothing is counted twice.')
        })
        return keepReceipt({ control, clock }, { site_id: site.id, label: notes.label }, await receipt)
      },
      async backup(take) {
        refuseMoved(folder, config)
        await evidence.open()
        if (stored === undefined) throw new Error('The evidence store was opened and is not there.')
        const embedded = embeddedOnly(stored)
        const control_layout = Object.keys(migrations)
        return takeBackup({ control, evidence: embedded, clock, folder, version, control_layout, backups }, take).catch(
          (error: unknown) => {
            throw refuseDisk(refuseStore(error, ' Then repeat the backup.'))
          },
        )
      },
      ...moves,
      authenticate: (secret) => authenticateSiteKey({ control, clock, uses }, secret),
      authenticateToken: (secret) => authenticateToken({ control, clock, uses }, secret),
      authenticateAccountToken: (secret) => authenticateAccountToken({ control, clock, uses }, secret),
      is_node: node_id !== null,
      async close() {
        await nodes.stop()
        await quotas
          .close()
          .then(() => (gate.is_closed ? undefined : keepKnown()))
          .finally(() => closeAll(lock, control, evidence.opened()))
      },
    }
  } catch (error) {
    lock.release()
    throw refuseDisk(error)
  }
}

/** The first half of the composition root: a data folder becomes open stores and what a process can do with them. */
import { resolve } from 'node:path'
import { authenticateAccountToken } from '#accounts/authenticate-account-token.ts'
import { authenticateSiteKey } from '#accounts/authenticate-site-key.ts'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { collectKeyUses } from '#accounts/key-uses.ts'
import { openMailer } from '#alerts/mailer.ts'
import { finishMove } from '#backup/move-in.ts'
import { clearBackupWork, takeBackup } from '#backup/take.ts'
import { KeyedBatches } from '#brands/questions/keyed-batches.ts'
import { systemClock } from '#clock.ts'
import { Mutex } from '#concurrency/mutex.ts'
import { refuseDisk } from '#control/disk.ts'
import { type FolderLock, lockFolder } from '#control/folder-lock.ts'
import { migrations } from '#control/migrations/index.ts'
import { openQuotas } from '#control/quotas/open-quotas.ts'
import { storePendingAddresses } from '#crawlers/identity/prove-pending-addresses.ts'
import { cloudflareAccess } from '#intake/cloudflare/context.ts'
import { importLog } from '#intake/import/import-log.ts'
import { storeReceipt } from '#intake/import/stored-receipts.ts'
import { JobRequests } from '#jobs/job-requests.ts'
import { refuseMoved } from '#move/move-state.ts'
import { sharedClock } from '#nodes/shared-clock.ts'
import { configuredEndpoints, openEndpoints } from '#outgoing/own-endpoints.ts'
import { resolveBy } from '#outgoing/resolve.ts'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'
import { openSecretBox } from '#secrets/secret-box.ts'
import { findAnySite } from '#sites/find-site.ts'
import { authenticateToken } from '#sources/authenticate-token.ts'
import type { Collector } from '#tracker/collection/collector.ts'
import { version } from '#version.ts'
import { foldersOf, type InstallationFolders } from './folders.ts'
import type { Installation, InstallationOptions } from './installation.ts'
import { openControl } from './open-control.ts'
import { openCrawlers } from './open-crawlers.ts'
import { embeddedOnly } from './open-evidence.ts'
import { openManagement } from './open-management.ts'
import { openMoves } from './open-moves.ts'
import { openNodes } from './open-nodes.ts'
import { openOnce } from './open-once.ts'
import { refuseStore } from './refuse-store.ts'
import { requireInstallation } from './require-installation.ts'

/** Opens the data folder for this process alone; Refusal(store_busy) when another one has it. */
export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const { config, may_create = 'all' } = options
  await requireInstallation(config, may_create)
  const folders = foldersOf(resolve(config.data))
  const lock = await lockFolder(folders.folder, { wait_ms: options.wait_ms })
  try {
    return await openLocked(folders, lock, options)
  } catch (error) {
    lock.release()
    throw refuseDisk(error)
  }
}

async function openLocked(
  folders: InstallationFolders,
  lock: FolderLock,
  options: InstallationOptions,
): Promise<Installation> {
  const { config, log, may_create = 'all', liveness = null, is_clock_simulated = false } = options
  const { folder } = folders
  const clock = sharedClock(options.clock)
  refuseMoved(folder, config)
  finishMove(folder)
  await clearBackupWork(folder)
  const { control, ungated, gate } = await openControl(folders, { config, clock, log, is_clock_simulated })
  if (config.database_url === null) liveness?.also(() => control.ping())
  const { account_id, user_id } = await ensureInstallation(control, clock)
  const jobs = new JobRequests({ control, clock })
  const key_uses = collectKeyUses({ control })
  const outgoing = outgoingOf(options)
  const quotas = await openQuotas(folder, config.database_url)
  const nodes = await openNodes({ ...options, clock, control, is_clock_simulated }, folders)
  const { onStatement } = options
  const evidence = openOnce(() =>
    openCrawlers(folders, {
      config,
      clock,
      control,
      log,
      gate,
      nodes,
      may_create,
      is_clock_simulated,
      liveness,
      onStatement,
    }),
  )
  const crawlers = async () => (await evidence.open()).crawlers
  const secrets = openSecretBox(folder, config)
  const cloudflare = cloudflareAccess(config.cloudflare_api_url, { outgoing, secrets })
  const mailer = is_clock_simulated || config.smtp === null ? null : openMailer(config.smtp)
  let collector: Collector | undefined
  /** Stores what only this process knows. */
  const keepKnown = async () => {
    const opened = await evidence.opened()?.catch(() => undefined)
    if (opened !== undefined) await storePendingAddresses(opened.crawlers)
    // A control store that does not answer must not keep a service from stopping: a minute of `last_used_at` is lost.
    await key_uses.flush().catch((error: unknown) => log.warn({ err: error }, 'uses of keys were not stored'))
  }
  const moves = openMoves({
    folder,
    // The command that shows the progress of a move has no other clock.
    clock: systemClock(),
    config,
    gate,
    keepKnown,
    control: ungated,
    openEvidence: async () => (await evidence.open()).embedded,
  })
  const operator = openManagement({
    config,
    clock,
    control,
    log,
    folders,
    jobs,
    quotas,
    secrets,
    mailer,
    outgoing,
    cloudflare,
    is_clock_simulated,
    origin: () => config.public_url ?? options.listening?.http_url ?? `http://${config.host}:${config.port}`,
    crawlers,
    collection: () => collector ?? nodes.collection,
    verify_wait_ms: options.verify_wait_ms,
    serviceState: options.serviceState,
  })
  const backups = new Mutex()
  const authentication = { control, clock, uses: key_uses }
  return {
    config,
    clock,
    control,
    key_uses,
    quotas,
    keyed_batches: new KeyedBatches(),
    outgoing,
    secrets,
    mailer,
    cloudflare,
    operator: { ...operator, account_id, user_id },
    jobs,
    crawlers,
    is_node: nodes.node_id !== null,
    nodes,
    async openCollector(collecting) {
      const onCounted = options.onCounted === undefined ? {} : { onCounted: options.onCounted }
      collector = await nodes.collect({ ...(await crawlers()), secrets, log, ...onCounted }, collecting)
      return collector
    },
    async importLog({ site: text, ...notes }, chunks, onProgress) {
      const site = await findAnySite({ control }, text)
      const receipt = importLog(await crawlers(), { ...notes, site }, chunks, onProgress).catch((error: unknown) => {
        throw refuseStore(error, ' Then repeat the import; nothing is counted twice.')
      })
      return storeReceipt({ control, clock }, { site_id: site.id, label: notes.label }, await receipt)
    },
    async backup(take) {
      refuseMoved(folder, config)
      const embedded = embeddedOnly(await evidence.open())
      const control_layout = Object.keys(migrations)
      return takeBackup({ control, evidence: embedded, clock, folder, version, control_layout, backups }, take).catch(
        (error: unknown) => {
          throw refuseDisk(refuseStore(error, ' Then repeat the backup.'))
        },
      )
    },
    ...moves,
    authenticate: (secret) => authenticateSiteKey(authentication, secret),
    authenticateToken: (secret) => authenticateToken(authentication, secret),
    authenticateAccountToken: (secret) => authenticateAccountToken(authentication, secret),
    async close() {
      await nodes.stop()
      try {
        await quotas.close()
        if (!gate.is_closed) await keepKnown()
      } finally {
        await closeStores()
      }
    },
  }

  async function closeStores(): Promise<void> {
    try {
      const opened = await evidence.opened()?.catch(() => undefined)
      await opened?.crawlers.evidence.close()
    } finally {
      await control.close().finally(() => lock.release())
    }
  }
}

/** The context of requests to other servers. */
function outgoingOf({ config, listening, standIn }: InstallationOptions): SafeFetchContext {
  const network: SafeFetchContext = {
    resolve: resolveBy(config.dns_servers),
    allow_networks: config.allow_networks,
    allow_ports: config.allow_ports,
    own_endpoints: () => [...configuredEndpoints(config), ...openEndpoints(config, listening)],
  }
  return standIn?.(network) ?? network
}

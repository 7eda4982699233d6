/** The composition root: the only file that wires stores, operations and surfaces together. */
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { authenticateSiteKey } from '#accounts/authenticate-site-key.ts'
import type { Caller } from '#accounts/caller.ts'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { collectKeyUses, type KeyUses } from '#accounts/key-uses.ts'
import type { Clock } from '#clock.ts'
import type { Config } from '#config.ts'
import { type FolderLock, lockFolder } from '#control/lock.ts'
import { openSqliteControl } from '#control/sqlite.ts'
import type { ControlStore } from '#control/store.ts'
import type { CrawlerContext, SiteContext } from '#crawlers/context.ts'
import { readCrawlers } from '#crawlers/crawlers.ts'
import { readPerformance } from '#crawlers/performance.ts'
import { openRegistryShelf } from '#crawlers/registry/shelf.ts'
import { readSources } from '#crawlers/sources/sources.ts'
import { readTopPages } from '#crawlers/top-pages.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { type ImportProgress, importLog } from '#intake/import/import-log.ts'
import type { Receipt } from '#intake/import/receipt.ts'
import type { AskedImport } from '#intake/import/request.ts'
import { startBackground } from '#jobs/background.ts'
import { prepareEvidence } from '#jobs/prepare-evidence.ts'
import { Refusal } from '#refusal.ts'
import { readSites } from '#sites/list-sites.ts'
import type { Site } from '#sites/site.ts'
import { findVisibleSite } from '#sites/visible-sites.ts'
import { buildHttpServer } from '#surfaces/http/server.ts'
import { type OperatorContext, operatorSite } from '#surfaces/operator/commands.ts'
import { socketPath } from '#surfaces/operator/socket-path.ts'
import { openOperatorSocket } from '#surfaces/operator/socket-server.ts'

/** An opened data folder: control at once, evidence when first asked for, because most commands need none. */
export interface Installation {
  clock: Clock
  control: ControlStore
  key_uses: KeyUses
  operator: OperatorContext
  /** Opens the evidence store once, repairs what a crash left, and brings the labels up to date. */
  crawlers(): Promise<CrawlerContext>
  /** Imports one log into a site of the operator, named by id or domain. */
  importLog(
    asked: AskedImport,
    chunks: AsyncIterable<Uint8Array>,
    onProgress: (progress: ImportProgress) => void,
  ): Promise<Receipt>
  authenticate(secret: string): Promise<Caller | null>
  close(): Promise<void>
}

export interface InstallationOptions {
  config: Config
  clock: Clock
  log: Logger
  /** How long to wait for another process to let go of the folder, in milliseconds. */
  wait_ms: number
  /** Called when there is evidence to erase. */
  eraseSoon?: () => void
}

/** Opens the data folder for this process alone; Refusal(store_busy) when another one has it. */
export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const { config, clock, log } = options
  const folder = resolve(config.data)
  const lock = await lockFolder(folder, { wait_ms: options.wait_ms })
  try {
    const control = await openSqliteControl(join(folder, 'control.sqlite'))
    const { account_id, user_id } = await ensureInstallation(control, clock)
    const uses = collectKeyUses({ control })
    const evidence = openOnce(async () => {
      // Loading the engine takes longer than most commands, which need none.
      const { openChdb } = await import('#evidence/chdb.ts')
      const store = await openChdb({ folder: join(folder, 'evidence'), memory_mb: config.evidence_memory_mb })
      const crawlers: CrawlerContext = { clock, control, evidence: store, registries: openRegistryShelf(control) }
      try {
        await prepareEvidence(crawlers, log)
        return crawlers
      } catch (error) {
        await store.close()
        throw error
      }
    })
    const operator = {
      control,
      clock,
      account_id,
      user_id,
      crawlers: evidence.open,
      eraseSoon: options.eraseSoon ?? (() => {}),
    }
    return {
      clock,
      control,
      key_uses: uses,
      operator,
      crawlers: evidence.open,
      async importLog({ site: text, ...notes }, chunks, onProgress) {
        const site = await operatorSite(operator, text)
        const crawlers = await evidence.open()
        return importLog(crawlers, { ...notes, site }, chunks, onProgress).catch((error: unknown) => {
          throw refuseStore(error, ' Then repeat the import, which doubles nothing.')
        })
      },
      authenticate: (secret) => authenticateSiteKey({ control, clock, uses }, secret),
      close: () => closeAll(lock, control, uses, evidence.opened()),
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

function openOnce<T>(open: () => Promise<T>): { open: () => Promise<T>; opened: () => Promise<T> | undefined } {
  let opened: Promise<T> | undefined
  return {
    open() {
      opened ??= open().catch((error: unknown) => {
        throw refuseStore(error)
      })
      return opened
    },
    opened: () => opened,
  }
}

/** What the machine lacks is the operator's to mend and reads as a sentence; a bug keeps its stack. */
function refuseStore(error: unknown, advice = ''): unknown {
  if (!(error instanceof EvidenceError) || error.kind === 'bug') return error
  return new Refusal(error.kind === 'newer_schema' ? 'not_readable' : 'store_busy', `${error.message}${advice}`)
}

async function closeAll(
  lock: FolderLock,
  control: ControlStore,
  uses: KeyUses,
  crawlers: Promise<CrawlerContext> | undefined,
): Promise<void> {
  try {
    const opened = await crawlers?.catch(() => undefined)
    await opened?.evidence.close()
    await uses.flush()
  } finally {
    await control.close().finally(() => lock.release())
  }
}

export interface Service {
  /** Where the API listens, for example http://127.0.0.1:8080. */
  url: string
  /** Stops within 5 s: no new requests, running ones end, work reaches a safe point, stores close. */
  stop(): Promise<void>
}

/** Work of a stopping service that lasts longer than this is broken off: the evidence store stops its statements. */
const STOP_GRACE_MS = 3_500

/** Opens the data folder and serves it: API, operator's socket and background work. */
export async function startService(options: InstallationOptions): Promise<Service> {
  const { config, log } = options
  const path = socketPath(config.data)
  let nudge = () => {}
  const installation = await openInstallation({ ...options, eraseSoon: () => nudge() })
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    // Side by side, because each waits for work of its own; the stores close when nothing needs them any more.
    const ended = Promise.allSettled(stops.map((end) => end()))
    await Promise.race([ended, pause(STOP_GRACE_MS, undefined, { ref: false })])
    await installation.close()
  }
  try {
    const crawlers = await installation.crawlers()
    const http = surfaceA(installation, crawlers, {
      log,
      support_email: config.support_email,
      close_grace_ms: STOP_GRACE_MS,
    })
    stops.push(() => http.close())
    const url = await http.listen({ host: config.host, port: config.port })
    const background = startBackground(crawlers, installation.key_uses, log)
    stops.push(() => background.stop())
    nudge = () => background.nudge()
    const socket = await openOperatorSocket(path, {
      context: installation.operator,
      log,
      importLog: (asked, chunks, onProgress) =>
        installation.importLog(asked, chunks, onProgress).finally(() => background.nudge()),
    })
    stops.push(() => socket.stop())
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Surface A over HTTP, not yet listening: each operation that is built, and how a request finds its caller and its site. */
export function surfaceA(
  installation: Installation,
  crawlers: CrawlerContext,
  { log, ...http }: { log: Logger; support_email: string | null; close_grace_ms?: number },
) {
  const { control } = installation
  return buildHttpServer({
    implementations: {
      listSites: (caller: Caller) => readSites({ control }, caller),
      getPerformance: readPerformance,
      getCrawlers: readCrawlers,
      getTopPages: readTopPages,
      getSources: readSources,
    },
    authenticate: installation.authenticate,
    findSite: (caller: Caller, text: string) => findVisibleSite({ control }, caller, text),
    context: (site: Site): SiteContext => ({ ...crawlers, site }),
    listContext: (caller: Caller) => caller,
    ready: async () => {
      await Promise.all([control.ping(), crawlers.evidence.ping()])
      return true
    },
    logger: log,
    ...http,
  })
}

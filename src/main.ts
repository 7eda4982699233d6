/** The composition root: the only file that wires stores, operations and surfaces together. */
import { join, resolve } from 'node:path'
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
import type { CrawlerContext } from '#crawlers/context.ts'
import { prepareEvidence } from '#jobs/prepare-evidence.ts'
import { openRegistryShelf } from '#crawlers/registry/shelf.ts'
import { openChdb } from '#evidence/chdb.ts'
import type { OperatorContext } from './surfaces/operator/commands.ts'

/** An opened data folder: control at once, evidence when first asked for, because most commands need none. */
export interface Installation {
  clock: Clock
  control: ControlStore
  key_uses: KeyUses
  operator: OperatorContext
  /** Opens the evidence store once, repairs what a crash left, and brings the labels up to date. */
  crawlers(): Promise<CrawlerContext>
  authenticate(secret: string): Promise<Caller | null>
  close(): Promise<void>
}

export interface InstallationOptions {
  config: Config
  clock: Clock
  log: Logger
  /** How long to wait for another process to let go of the folder, in milliseconds. */
  wait_ms?: number
  /** Called when there is evidence to erase. */
  eraseSoon?: () => void
}

/** Opens the data folder for this process alone; Refusal(store_busy) when another one has it. */
export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const { config, clock, log } = options
  const folder = resolve(config.data)
  const lock = await lockFolder(folder, { wait_ms: options.wait_ms ?? 0 })
  try {
    const control = await openSqliteControl(join(folder, 'control.sqlite'))
    const { account_id, user_id } = await ensureInstallation(control, clock)
    const uses = collectKeyUses({ control })
    const evidence = openOnce(async () => {
      const store = await openChdb({ folder: join(folder, 'evidence'), memory_mb: config.evidence_memory_mb })
      const crawlers: CrawlerContext = { clock, control, evidence: store, registries: openRegistryShelf(control) }
      await prepareEvidence(crawlers, log)
      return crawlers
    })
    return {
      clock,
      control,
      key_uses: uses,
      operator: { control, clock, account_id, user_id, eraseSoon: options.eraseSoon ?? (() => {}) },
      crawlers: evidence.open,
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
      opened ??= open()
      return opened
    },
    opened: () => opened,
  }
}

async function closeAll(
  lock: FolderLock,
  control: ControlStore,
  uses: KeyUses,
  crawlers: Promise<CrawlerContext> | undefined,
): Promise<void> {
  try {
    await uses.flush()
    const opened = await crawlers?.catch(() => undefined)
    await opened?.evidence.close()
    await control.close()
  } finally {
    lock.release()
  }
}

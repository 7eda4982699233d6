/** The end of an opened installation: what it holds is let go of in order. */
import type { Logger } from 'pino'
import type { KeyUses } from '#accounts/key-uses.ts'
import type { FolderLock } from '#control/folder-lock.ts'
import type { ControlStore } from '#control/store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'

export async function closeAll(
  lock: FolderLock,
  control: ControlStore,
  crawlers: Promise<CrawlerContext> | undefined,
): Promise<void> {
  try {
    const opened = await crawlers?.catch(() => undefined)
    await opened?.evidence.close()
  } finally {
    await control.close().finally(() => lock.release())
  }
}

/** An absent control store must not keep a service from stopping: at most a minute of `last_used_at` is lost. */
export function quietly(uses: KeyUses, log: Logger): KeyUses {
  const flush = () => uses.flush().catch((error: unknown) => log.warn({ err: error }, 'uses of keys were not noted'))
  return { ...uses, flush }
}

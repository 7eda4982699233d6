import type { ServerResponse } from 'node:http'
import type { ImportProgress } from '#intake/import/import-log.ts'

const EVERY_MS = 200
/** So many uploads are watched at a time; a page that watches one more is told nothing. */
const MAX_WATCHED = 200

/** Who watches which upload; an upload is its owner's alone, and may be watched before it begins. */
export class UploadProgress {
  readonly #watchers = new Map<string, Set<ServerResponse>>()

  /** `upload` null: nobody watches it. */
  of(user_id: string, upload: string | null): { tell(progress: ImportProgress): void; end(): void } {
    const key = `${user_id} ${upload}`
    let next = 0
    return {
      tell: (progress) => {
        const now = performance.now()
        if (now < next) return
        next = now + EVERY_MS
        this.#send(key, `event: progress\ndata: ${JSON.stringify(progress)}\n\n`)
      },
      end: () => {
        this.#send(key, 'event: end\ndata: {}\n\n')
        for (const watcher of this.#watchers.get(key) ?? []) watcher.end()
        this.#watchers.delete(key)
      },
    }
  }

  watch(user_id: string, upload: string, watcher: ServerResponse): void {
    const key = `${user_id} ${upload}`
    if (this.#watchers.size >= MAX_WATCHED && !this.#watchers.has(key)) {
      watcher.end()
      return
    }
    const watchers = this.#watchers.get(key) ?? new Set()
    this.#watchers.set(key, watchers.add(watcher))
    watcher.write(': watching\n\n')
    watcher.once('close', () => {
      watchers.delete(watcher)
      if (watchers.size === 0) this.#watchers.delete(key)
    })
  }

  endAll(): void {
    for (const watchers of this.#watchers.values()) for (const watcher of watchers) watcher.end()
    this.#watchers.clear()
  }

  #send(key: string, event: string): void {
    for (const watcher of this.#watchers.get(key) ?? []) watcher.write(event)
  }
}

import type { ServerResponse } from 'node:http'
import type { ImportProgress } from '#intake/import/import-log.ts'

const EVERY_MS = 200
/** So many uploads are followed at a time; a page that follows one more learns nothing. */
const MAX_FOLLOWED = 200

/** Who follows which upload; an upload is its owner's alone, and may be followed before it begins. */
export class UploadProgress {
  readonly #followers = new Map<string, Set<ServerResponse>>()

  /** `upload` null: no page follows it. */
  of(user_id: string, upload: string | null): { report(progress: ImportProgress): void; end(): void } {
    const key = `${user_id} ${upload}`
    let next = 0
    return {
      report: (progress) => {
        const now = performance.now()
        if (now < next) return
        next = now + EVERY_MS
        this.#send(key, `event: progress\ndata: ${JSON.stringify(progress)}\n\n`)
      },
      end: () => {
        this.#send(key, 'event: end\ndata: {}\n\n')
        for (const follower of this.#followers.get(key) ?? []) follower.end()
        this.#followers.delete(key)
      },
    }
  }

  follow(user_id: string, upload: string, follower: ServerResponse): void {
    const key = `${user_id} ${upload}`
    if (this.#followers.size >= MAX_FOLLOWED && !this.#followers.has(key)) {
      follower.end()
      return
    }
    const followers = this.#followers.get(key) ?? new Set()
    this.#followers.set(key, followers.add(follower))
    follower.write(': following\n\n')
    follower.once('close', () => {
      followers.delete(follower)
      if (followers.size === 0) this.#followers.delete(key)
    })
  }

  endAll(): void {
    for (const followers of this.#followers.values()) for (const follower of followers) follower.end()
    this.#followers.clear()
  }

  #send(key: string, event: string): void {
    for (const follower of this.#followers.get(key) ?? []) follower.write(event)
  }
}

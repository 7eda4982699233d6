import type { ServerResponse } from 'node:http'
import type { ImportProgress } from '#intake/import/import-log.ts'

const EVERY_MS = 200
/**
 * So many pages follow uploads at a time, in all and of one person: each holds a connection for as long as it likes. A
 * page that follows one more learns nothing.
 */
const MAX_FOLLOWERS = { total: 200, of_user: 20 } as const

interface Follower {
  user_id: string
  response: ServerResponse
}

/** Who follows which upload; an upload is its owner's alone, and may be followed before it begins. */
export class UploadProgress {
  readonly #of_upload = new Map<string, Set<ServerResponse>>()
  readonly #all = new Set<Follower>()

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
        for (const follower of this.#of_upload.get(key) ?? []) follower.end()
        this.#of_upload.delete(key)
      },
    }
  }

  follow(user_id: string, upload: string, response: ServerResponse): void {
    const of_user = [...this.#all].filter((follower) => follower.user_id === user_id)
    if (this.#all.size >= MAX_FOLLOWERS.total || of_user.length >= MAX_FOLLOWERS.of_user) {
      response.end()
      return
    }
    const key = `${user_id} ${upload}`
    const follower = { user_id, response }
    const followers = this.#of_upload.get(key) ?? new Set()
    this.#all.add(follower)
    this.#of_upload.set(key, followers.add(response))
    response.write(': following\n\n')
    response.once('close', () => {
      this.#all.delete(follower)
      followers.delete(response)
      if (followers.size === 0 && this.#of_upload.get(key) === followers) this.#of_upload.delete(key)
    })
  }

  endAll(): void {
    for (const { response } of this.#all) response.end()
    this.#of_upload.clear()
  }

  #send(key: string, event: string): void {
    for (const follower of this.#of_upload.get(key) ?? []) follower.write(event)
  }
}

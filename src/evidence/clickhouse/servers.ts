/** Several servers with the same evidence: one is used until it fails, then the next (decisions 8). */
import { isNotServing, mayAskNext, serverError } from './errors.ts'
import type { ClickHouseServer } from './server.ts'

export class ServerList {
  readonly #servers: readonly ClickHouseServer[]
  /** The server in use; null until one has answered. */
  #current: ClickHouseServer | null = null
  /** Index at which the search for the next one begins. */
  #first = 0

  constructor(servers: readonly ClickHouseServer[]) {
    this.#servers = servers
  }

  /**
   * The result of one of the servers. A read is repeated on each of the others, a write only if none of it can have
   * been stored.
   * @throws EvidenceError of the last server that was tried.
   */
  async ask<T>(kind: 'read' | 'write', work: (server: ClickHouseServer) => Promise<T>): Promise<T> {
    for (let asked = 1; ; asked++) {
      const server = this.#current ?? (await this.#find())
      try {
        return await work(server)
      } catch (error) {
        if (isNotServing(error) && this.#current === server) {
          this.#current = null
          this.#first = (this.#servers.indexOf(server) + 1) % this.#servers.length
        }
        if (!mayAskNext(error, kind) || asked >= this.#servers.length) throw serverError(error, server.url, kind)
      }
    }
  }

  async each(work: (server: ClickHouseServer) => Promise<void>): Promise<void> {
    await Promise.allSettled(this.#servers.map(work))
  }

  /** The first server that answers a ping. It is in use from then on. */
  async #find(): Promise<ClickHouseServer> {
    const begin = this.#first
    const candidates = [...this.#servers.slice(begin), ...this.#servers.slice(0, begin)]
    let failure: unknown
    for (const server of candidates) {
      try {
        await server.ping()
        this.#current = server
        return server
      } catch (error) {
        failure = serverError(error, server.url)
      }
    }
    throw failure
  }
}

/** Several servers that hold the same evidence: one is asked until it fails, then the next (decisions 8). */
import { isNotServing, mayAskNext, serverError } from './errors.ts'
import type { ClickHouseServer } from './server.ts'

export class ServerList {
  readonly #servers: readonly ClickHouseServer[]
  /** The one that is asked; null until one has answered. */
  #current: ClickHouseServer | null = null
  /** Where the search for the next one begins. */
  #first = 0

  constructor(servers: readonly ClickHouseServer[]) {
    this.#servers = servers
  }

  /**
   * What one of the servers answers. A read is repeated on each of the others, a write only where nothing of it can
   * have been stored.
   * @throws EvidenceError of the last server that was asked.
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
        if (!mayAskNext(error, kind) || asked >= this.#servers.length) throw serverError(error, server.url)
      }
    }
  }

  async each(work: (server: ClickHouseServer) => Promise<void>): Promise<void> {
    await Promise.allSettled(this.#servers.map(work))
  }

  /** The first that answers a ping, which is the current one from then on. */
  async #find(): Promise<ClickHouseServer> {
    const begin = this.#first
    const inTurn = [...this.#servers.slice(begin), ...this.#servers.slice(0, begin)]
    let failure: unknown
    for (const server of inTurn) {
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

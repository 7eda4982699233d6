import { Resolver } from 'node:dns/promises'

/** Queries to name servers; an empty list means no such record. They throw if the servers do not answer. */
export interface NameServers {
  /** The names that a reverse name (`4.3.2.1.in-addr.arpa`) points to. */
  pointers(name: string): Promise<string[]>
  addresses(name: string, family: 4 | 6): Promise<string[]>
  /** The name servers that a domain is delegated to. */
  delegations(domain: string): Promise<string[]>
}

const TRIES = { timeout: 2_000, tries: 2 }
/** The name has no such record, or does not exist: an answer, not a failure. */
const NO_RECORD: ReadonlySet<unknown> = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME'])

/**
 * Asks these name servers (`address` or `address:port`), by default the machine's, but never the hosts file. `tries`:
 * the number of attempts, and the time limit of the first one in milliseconds.
 */
export function askNameServers(servers: readonly string[], tries = TRIES): NameServers {
  const resolver = new Resolver(tries)
  if (servers.length > 0) resolver.setServers(servers)
  return {
    pointers: (name) => orNone(resolver.resolvePtr(name)),
    addresses: (name, family) => orNone(family === 4 ? resolver.resolve4(name) : resolver.resolve6(name)),
    delegations: (domain) => orNone(resolver.resolveNs(domain)),
  }
}

async function orNone(asked: Promise<string[]>): Promise<string[]> {
  try {
    return await asked
  } catch (error) {
    if (NO_RECORD.has((error as NodeJS.ErrnoException).code)) return []
    throw error
  }
}

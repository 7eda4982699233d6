import { Resolver } from 'node:dns/promises'
import { failed } from './refused.ts'

/**
 * Finds every address of a name once; an empty list: the name exists and has none.
 * @throws OutgoingRefusal no_address with the resolver's code: the name does not exist, or no name server answers.
 */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>

const TRIES = { timeout: 3_000, tries: 2 }
/** The name has no such record, or does not exist: an answer, not a failure. */
const NO_RECORD: ReadonlySet<unknown> = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME'])

/**
 * Asks these name servers (`address` or `address:port`), by default the machine's. Such a query can be cancelled, and
 * occupies no thread of the pool in which statements of the evidence store run. The hosts file is not read; `localhost`
 * resolves as in RFC 6761.
 */
export function resolveBy(servers: readonly string[]): Resolve {
  return async (name, signal) => {
    if (/(^|\.)localhost\.?$/.test(name)) return ['127.0.0.1', '::1']
    const resolver = new Resolver(TRIES)
    if (servers.length > 0) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      const trouble = answers.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason.code)] : []))
      if (found.length > 0) return found
      const fault = trouble.find((code) => !NO_RECORD.has(code))
      if (fault !== undefined)
        throw failed(
          'no_address',
          `The name servers of this machine did not answer for ${name}: try again later.`,
          fault,
        )
      if (trouble.length === answers.length && trouble.every((code) => code === 'ENOTFOUND'))
        throw failed('no_address', noAddressText(name), 'ENOTFOUND')
      return []
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

/** The message about a name without addresses. */
export const noAddressText = (name: string) =>
  `The name ${name} has no address: check its spelling, and that this machine can look up names.`

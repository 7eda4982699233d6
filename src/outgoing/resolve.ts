import { Resolver } from 'node:dns/promises'
import { failed } from './refused.ts'

/** Finds every address of a name, once; an empty list when it has none. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>

const TRIES = { timeout: 3_000, tries: 2 }
/** The name exists and has no such record, or does not exist: an answer, not a failure. */
const NO_RECORD: ReadonlySet<unknown> = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME'])

/**
 * Asks the machine's name servers directly: such a question can be broken off, and holds no thread of the pool that the
 * evidence store's statements run in. The machine's hosts file is not read; `localhost` is what RFC 6761 says.
 */
export const resolveName: Resolve = async (name, signal) => {
  if (/(^|\.)localhost\.?$/.test(name)) return ['127.0.0.1', '::1']
  const resolver = new Resolver(TRIES)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const trouble = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.code] : []))
    if (found.length > 0 || trouble.every((code) => NO_RECORD.has(code))) return found
    throw failed('no_address', `The name servers of this machine did not answer for ${name}: try again later.`)
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

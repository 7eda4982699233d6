/**
 * Whether this machine reaches the outside at all: a host is only called unreachable while others are reached (rules
 * 8.1).
 */
import { OutgoingRefusal } from '#outgoing/refused.ts'
import { type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'

export interface OutsideContext {
  outgoing: SafeFetchContext
  /** URLs of other sites, of which one must answer; those below unless given. */
  control_urls?: readonly string[]
}

/** Reserved for documentation and run by IANA, so that no owner is bothered. */
const CONTROL_URLS = ['https://example.com/', 'https://www.iana.org/']

/**
 * Any answer of a control site shows that names are resolved and connections made; a control on the host itself shows
 * nothing.
 */
export async function reachesOutside(
  { outgoing, control_urls = CONTROL_URLS }: OutsideContext,
  host: string,
  timeout_ms: number,
  signal: AbortSignal,
): Promise<boolean> {
  const others = control_urls.filter((url) => new URL(url).hostname !== host)
  const asked = others.map((url) =>
    safeFetch(outgoing, url, { method: 'HEAD', redirects: 0, max_bytes: 0, timeout_ms, signal }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof OutgoingRefusal) return false
        throw error
      },
    ),
  )
  return (await Promise.all(asked)).includes(true)
}

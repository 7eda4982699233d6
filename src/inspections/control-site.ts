/**
 * Whether this machine reaches other sites at all. A host counts as unreachable only while others can be reached (rules
 * 8.1).
 */
import { OutgoingRefusal } from '#outgoing/refused.ts'
import { type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'

export interface OutsideContext {
  outgoing: SafeFetchContext
  /** URLs of other sites, one of which must answer; `CONTROL_URLS` by default. */
  control_urls?: readonly string[]
}

/** Sites that IANA runs for documentation, so that no owner is disturbed. */
const CONTROL_URLS = ['https://example.com/', 'https://www.iana.org/']

/**
 * Any response of a control site proves that names are resolved and connections made. A control site on the inspected
 * host itself proves nothing.
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

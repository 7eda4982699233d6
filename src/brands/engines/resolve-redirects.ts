/** Reads where an engine's redirects lead, without going there (account API 3). */
import { OutgoingRefusal } from '#outgoing/refused.ts'
import { type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'
import { type CitedPage, followedPage, redirectorOf } from './citation-url.ts'

const MAX_RESOLVED = 50
const TIMEOUT_MS = 10_000

/**
 * The citations with the pages behind their redirects, as far as one HEAD to the engine's redirect service says so. The
 * cited site is never asked, and Google's service only once its terms are accepted; a citation that stays unknown is
 * `redirect_opaque`.
 */
export async function resolveRedirects<C extends CitedPage>(
  outgoing: SafeFetchContext,
  citations: readonly C[],
  { accepted_terms, signal }: { accepted_terms: readonly string[]; signal: AbortSignal },
): Promise<C[]> {
  let left = MAX_RESOLVED
  const resolved: C[] = []
  for (const citation of citations) {
    const redirector = citation.resolved === 'redirect_opaque' ? redirectorOf(new URL(citation.url)) : null
    const is_allowed = redirector !== null && (!redirector.needs_google_terms || accepted_terms.includes('google'))
    const target = is_allowed && left-- > 0 ? await locationOf(outgoing, citation.url, signal) : null
    resolved.push(target === null ? citation : { ...citation, ...followedPage(citation, target) })
  }
  return resolved
}

async function locationOf(outgoing: SafeFetchContext, url: string, signal: AbortSignal): Promise<string | null> {
  try {
    const { status, headers } = await safeFetch(outgoing, url, {
      ...{ method: 'HEAD', redirects: 0, max_bytes: 0, timeout_ms: TIMEOUT_MS, signal },
    })
    return status >= 300 && status < 400 && headers.location !== undefined ? headers.location : null
  } catch (error) {
    // The service is down or refuses: where it leads stays unknown.
    if (error instanceof OutgoingRefusal) return null
    throw error
  }
}

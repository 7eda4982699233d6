/** Reads the targets of an engine's redirects without requesting them (account API 3). */
import { OutgoingRefusal } from '#outgoing/refused.ts'
import { encodedLocation, type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'
import { followedPage, redirectorOf } from './citation-url.ts'
import type { EngineCitation } from './engine-answer.ts'

const MAX_RESOLVED = 50
const TIMEOUT_MS = 10_000

/**
 * The citations with the pages behind their redirects, as far as one HEAD request to the engine's redirect service
 * returns them. The cited site gets no request, and Google's service only after its terms are accepted. A citation that
 * stays unknown is `redirect_opaque`. A page that several redirects lead to is cited once.
 */
export async function resolveRedirects(
  outgoing: SafeFetchContext,
  citations: readonly EngineCitation[],
  { accepted_terms, signal }: { accepted_terms: readonly string[]; signal: AbortSignal },
): Promise<EngineCitation[]> {
  let left = MAX_RESOLVED
  const resolved: EngineCitation[] = []
  for (const citation of citations) {
    const redirector = citation.resolved === 'redirect_opaque' ? redirectorOf(new URL(citation.url)) : null
    const is_allowed = redirector !== null && (!redirector.needs_google_terms || accepted_terms.includes('google'))
    const target = is_allowed && left-- > 0 ? await locationOf(outgoing, citation.url, signal) : null
    resolved.push(target === null ? citation : { ...citation, ...followedPage(citation, target) })
  }
  return eachPageOnce(resolved)
}

/** By first occurrence; a later title replaces a missing one. */
function eachPageOnce(citations: readonly EngineCitation[]): EngineCitation[] {
  const pages = new Map<string, EngineCitation>()
  for (const citation of citations) {
    const known = pages.get(citation.url)
    if (known === undefined) pages.set(citation.url, { ...citation, position: pages.size + 1 })
    else {
      known.span_count += citation.span_count
      known.title ??= citation.title
    }
  }
  return [...pages.values()]
}

async function locationOf(outgoing: SafeFetchContext, url: string, signal: AbortSignal): Promise<string | null> {
  try {
    const { status, headers } = await safeFetch(outgoing, url, {
      method: 'HEAD',
      redirects: 0,
      max_bytes: 0,
      timeout_ms: TIMEOUT_MS,
      signal,
    })
    const { location } = headers
    return status >= 300 && status < 400 && location !== undefined ? encodedLocation(location) : null
  } catch (error) {
    // The service is down or refuses: the target stays unknown.
    if (error instanceof OutgoingRefusal) return null
    throw error
  }
}

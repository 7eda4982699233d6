/** One request of an inspection with its redirects. Failures are results as well (rules 8.3, 8.5). */
import type { TlsObservation } from '#outgoing/connect.ts'
import { OutgoingRefusal } from '#outgoing/refused.ts'
import { type FetchedHop, type SafeFetchAnswer, type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'
import { findChallenge, type ObservedResponse } from './challenge-signals.ts'
import type { Hop, Visit, VisitState } from './inspection.ts'
import { findPageDirectives } from './page-directives.ts'

export interface VisitInput {
  url: string
  /** The whole user agent on the site's own hosts. */
  agent: string
  /** The user agent for other hosts of the redirects, whose bodies are not read. */
  foreign_agent: string
  root_domain: string
  timeout_ms: number
  signal: AbortSignal
}

/** A visit with its observations. */
export interface VisitTrace {
  visit: Visit
  /** Addresses of the first host; null if its name was not resolved. */
  addresses: readonly string[] | null
  /** TLS of the first host; null without a handshake. */
  tls: TlsObservation | null
  /** Every attempted handshake, in order. */
  handshakes: readonly { origin: string; tls: TlsObservation }[]
  /** Why there was no response; null if there was one. */
  refusal: OutgoingRefusal | null
  /** The final response; null if there was none. */
  response: ObservedResponse | null
}

const MAX_BODY_BYTES = 2 * 1024 ** 2
const MAX_REDIRECTS = 5
/** More redirects than these are harm (rules 8.1). */
export const MAX_CLEAN_REDIRECTS = 3
/** The most recorded header lines of a hop, and the most characters of each. */
const MAX_KEPT_LINES = 20
const MAX_KEPT_LENGTH = 500
/** Headers that matter for challenges, directives or repairs; of cookies only the names. */
const KEPT_HEADERS =
  /^(server|via|retry-after|content-type|content-length|location|x-robots-tag|content-(signal|usage)|cache-control|cf-.*|crawler-.*|x-amzn-waf-action|x-cache|x-(dd|datadome|sucuri|vercel|kpsdk|iinfo|cdn|served-by|azure-ref|nf-request-id).*|akamai-.*)$/

/** Fetches a URL with its redirects; a failure is a part of the result. */
export async function visit(outgoing: SafeFetchContext, input: VisitInput): Promise<VisitTrace> {
  const { root_domain, agent, foreign_agent } = input
  const heads: FetchedHop[] = []
  let addresses: readonly string[] | null = null
  let tls: TlsObservation | null = null
  const handshakes: { origin: string; tls: TlsObservation }[] = []
  const isOwn = (url: URL) => isOnSite(url.hostname, root_domain)
  const fetching = safeFetch(outgoing, input.url, {
    headers: (url) => ({ accept: ACCEPT, 'user-agent': isOwn(url) ? agent : foreign_agent }),
    readsBody: isOwn,
    max_bytes: MAX_BODY_BYTES,
    on_too_long: 'truncate',
    redirects: MAX_REDIRECTS,
    timeout_ms: input.timeout_ms,
    signal: input.signal,
    observer: {
      resolved: (_, found) => {
        addresses ??= found
      },
      secured: ({ origin }, observed) => {
        if (heads.length === 0) tls = observed
        handshakes.push({ origin, tls: observed })
      },
      answered: (hop) => heads.push(hop),
    },
  })
  const { answer, refusal } = await fetching.then(
    (answer) => ({ answer, refusal: null }),
    (error: unknown) => {
      if (!(error instanceof OutgoingRefusal)) throw error
      return { answer: null, refusal: error }
    },
  )
  const last = heads.at(-1)
  const response =
    answer === null || last === undefined
      ? null
      : { status: answer.status, header_lines: last.header_lines, body: answer.body }
  return {
    visit: describeVisit({ agent, root_domain }, heads, answer, refusal, response),
    addresses,
    tls,
    handshakes,
    refusal,
    response,
  }
}

const ACCEPT = 'text/html,application/xhtml+xml,*/*;q=0.8'

/** The root domain or a name below it. */
export function isOnSite(host: string, root_domain: string): boolean {
  const name = host.replace(/\.$/, '').toLowerCase()
  return name === root_domain || name.endsWith(`.${root_domain}`)
}

/** Whether the final response is of another site, which gets Spoor's own agent, and whose body is not read. */
export function endsOnAnotherSite({ hops }: { hops: readonly { url: string | URL }[] }, root_domain: string): boolean {
  const final = hops.at(-1)
  return final !== undefined && !isOnSite(new URL(final.url).hostname, root_domain)
}

function describeVisit(
  { agent, root_domain }: Pick<VisitInput, 'agent' | 'root_domain'>,
  heads: readonly FetchedHop[],
  answer: SafeFetchAnswer | null,
  refusal: OutgoingRefusal | null,
  response: ObservedResponse | null,
): Visit {
  const content_type = heads.at(-1)?.headers['content-type'] ?? null
  const state = refusal === null ? 'answered' : stateOf(refusal, heads)
  const last_status = answer?.status ?? heads.at(-1)?.status ?? null
  const found =
    response === null
      ? { state: 'unknown' as const, vendor: null, signals: [] }
      : findChallenge(withRedirects(response, heads))
  // Headers alone can prove a challenge, but cannot rule one out.
  const is_unread = found.state === 'not_detected' && endsOnAnotherSite({ hops: heads }, root_domain)
  const challenge = is_unread ? { ...found, state: 'unknown' as const } : found
  const final_status = state === 'answered' ? last_status : null
  const isServed =
    final_status !== null &&
    final_status >= 200 &&
    final_status < 300 &&
    challenge.state === 'not_detected' &&
    heads.length - 1 <= MAX_CLEAN_REDIRECTS
  return {
    agent,
    state,
    code: refusal === null ? null : (refusal.system_code ?? refusal.code),
    hops: heads.map(describeHop),
    final_status,
    content_type,
    body_bytes: answer === null ? 0 : answer.body.length,
    body_truncated: answer?.is_truncated ?? false,
    challenge,
    page_directives: response === null ? null : findPageDirectives(response),
    is_served: isServed,
  }
}

/** A redirect to a captcha is a challenge, independent of what its target answers. */
function withRedirects(response: ObservedResponse, heads: readonly FetchedHop[]): ObservedResponse {
  const location = heads.flatMap(({ header_lines }) => header_lines.location ?? [])
  return { ...response, header_lines: { ...response.header_lines, location } }
}

function stateOf({ code }: OutgoingRefusal, heads: readonly FetchedHop[]): VisitState {
  switch (code) {
    case 'timeout':
      return 'timed_out'
    case 'no_address':
    case 'not_connected':
    case 'tls':
      return 'not_connected'
    case 'too_many_redirects':
      return hasLoop(heads) ? 'loop' : 'too_many_redirects'
    case 'malformed_url':
    case 'scheme':
    case 'credentials':
    case 'port':
    case 'address':
      return 'refused_destination'
    // There was a response, with an invalid redirect or an unreadable body.
    case 'malformed_redirect':
    case 'encoding':
      return heads.length === 0 ? 'broken_off' : 'answered'
    default:
      return 'broken_off'
  }
}

/** Whether a URL occurs twice, without regard to fragments. */
function hasLoop(heads: readonly FetchedHop[]): boolean {
  const last = heads.at(-1)
  // The last redirect was not followed, so its target may be invalid.
  const next = last === undefined ? [] : (URL.parse(String(last.headers.location), last.url) ?? [])
  const urls = [...heads.map(({ url }) => url)].concat(next).map(({ href }) => href.replace(/#.*/s, ''))
  return new Set(urls).size < urls.length
}

function describeHop({ url, status, headers, header_lines, ms }: FetchedHop): Hop {
  const kept = Object.entries(header_lines).filter(([name]) => KEPT_HEADERS.test(name))
  const cookies = (header_lines['set-cookie'] ?? []).map((line) => line.replace(/=.*/s, ''))
  return {
    url: url.href,
    status,
    location: headers.location?.slice(0, MAX_LOCATION_LENGTH) ?? null,
    ms,
    headers: Object.fromEntries(
      [...kept, ...(cookies.length === 0 ? [] : [['set-cookie', cookies] as const])]
        .slice(0, MAX_KEPT_LINES)
        .map(([name, lines = []]) => [
          name,
          lines.slice(0, MAX_KEPT_LINES).map((line) => line.slice(0, MAX_KEPT_LENGTH)),
        ]),
    ),
  }
}

const MAX_LOCATION_LENGTH = 2_000

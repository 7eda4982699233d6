/**
 * Fetches a robots.txt as in RFC 9309 2.3: with up to five redirects, on any host. It applies to the first authority.
 */
import { createHash } from 'node:crypto'
import { OutgoingRefusal } from '#outgoing/refused.ts'
import { type FetchedHop, type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'
import { MAX_ROBOTS_BYTES } from '#robots/parse.ts'
import { findChallenge } from './challenge-signals.ts'

export interface RobotsVisit {
  url: string
  /** Status of the final response; null if there was none. */
  status: number | null
  /** Why there was no response or no readable body: a code of Node or of the safe fetch. */
  code: string | null
  has_too_many_redirects: boolean
  /** Body of a 2xx response, at most 500 KiB and one byte. The last byte shows that the file is longer. */
  body: Buffer
  /** Hash of the bytes that were read; null if the body is not used. */
  sha256: string | null
  is_truncated: boolean
  is_challenge: boolean
  /** Spoor does not request this address (rules 7), so the rules are unknown. */
  is_declined: boolean
  /** A 2xx with an unexpected encoding or a damaged body, which crawlers may be able to read. */
  is_unreadable: boolean
}

export interface RobotsVisitInput {
  /** Scheme, host and port. */
  origin: string
  agent: string
  timeout_ms: number
  signal: AbortSignal
}

/** Fetches the robots.txt of a host; a failure is a part of the result. */
export async function visitRobots(outgoing: SafeFetchContext, input: RobotsVisitInput): Promise<RobotsVisit> {
  const { origin, agent, timeout_ms, signal } = input
  const url = `${origin}/robots.txt`
  let last: FetchedHop | null = null
  try {
    const answer = await safeFetch(outgoing, url, {
      headers: () => ({ accept: 'text/plain,*/*;q=0.8', 'user-agent': agent }),
      max_bytes: MAX_ROBOTS_BYTES + 1,
      on_too_long: 'truncate',
      timeout_ms,
      signal,
      observer: {
        answered: (hop) => {
          last = hop
        },
      },
    })
    const header_lines = (last as FetchedHop | null)?.header_lines ?? {}
    const isFile = answer.status >= 200 && answer.status < 300
    const body = isFile ? answer.body : Buffer.alloc(0)
    return {
      url,
      status: answer.status,
      code: null,
      has_too_many_redirects: false,
      body,
      sha256: isFile ? createHash('sha256').update(body).digest('hex') : null,
      is_truncated: isFile && body.length > MAX_ROBOTS_BYTES,
      is_challenge: findChallenge({ status: answer.status, header_lines, body: answer.body }).state === 'detected',
      is_declined: false,
      is_unreadable: false,
    }
  } catch (error) {
    if (!(error instanceof OutgoingRefusal)) throw error
    const status = statusDespite(error, last)
    const is_unreadable = status !== null && status >= 200 && status < 300
    const code = status === null || is_unreadable ? (error.system_code ?? error.code) : null
    return {
      url,
      status,
      code,
      body: Buffer.alloc(0),
      sha256: null,
      has_too_many_redirects: error.code === 'too_many_redirects',
      is_truncated: false,
      is_challenge: false,
      is_declined: error.kind === 'invalid_input',
      is_unreadable,
    }
  }
}

/** The status that counts although the body cannot be read: the body of a 404, for example, is not needed. */
function statusDespite({ code }: OutgoingRefusal, last: FetchedHop | null): number | null {
  if (last === null) return null
  const isAnswer = code === 'encoding' || code === 'malformed_redirect'
  return isAnswer || last.status >= 400 ? last.status : null
}

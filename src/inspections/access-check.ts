/** Requests a URL of a site once, with Spoor's own agent. The result changes no issue (rules 8.5). */
import type { Caller } from '#accounts/caller.ts'
import { instantText } from '#clock.ts'
import type { AccessCheck } from '#contract/site-api/index.ts'
import type { SiteContext } from '#crawlers/context.ts'
import { readLastRequests } from '#crawlers/last-requests.ts'
import { MAX_URL_LENGTH } from '#outgoing/destination.ts'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'
import { pathV1 } from '#paths/path-v1.ts'
import { Refusal } from '#refusal.ts'
import { decideInThread, type ThreadAnswer } from '#robots/decide-thread.ts'
import { type AccessObservation, describeAccess } from './describe-access.ts'
import { findLlmsTxt } from './llms-txt.ts'
import { inspectorAgent } from './marker.ts'
import { recordAccessCheck } from './record-access-check.ts'
import { fetchWithHistory } from './robots-history.ts'
import { type RobotsVisit, visitRobots } from './robots-visit.ts'
import { type VisitTrace, visit } from './visit.ts'

export interface AccessCheckServices {
  /** The context of `safeFetch`; null if Spoor may not send requests to other servers. */
  outgoing: SafeFetchContext | null
  /** The public URL of this service; null if it is not set. */
  public_url: string | null
}

const FILE_MS = 5_000
const PAGE_MS = 10_000

/** Everything that is observed is a result. @throws Refusal not_readable: Spoor does not request this URL. */
export async function checkAccess(
  ctx: SiteContext & { caller: Caller; access: AccessCheckServices },
  { url: text }: { url: string },
): Promise<AccessCheck> {
  const { outgoing, public_url } = ctx.access
  if (outgoing === null) {
    throw new Refusal(
      'not_readable',
      'Under a simulated clock Spoor sends no requests to other servers: start the service without --clock.',
    )
  }
  const url = normalise(text)
  const page_key = { host: url.hostname.replace(/\.$/, ''), path: pathV1(url.pathname).path }
  await recordAccessCheck(ctx, page_key)
  const checked_at = ctx.clock.now()
  const agent = inspectorAgent(public_url, null)
  const signal = AbortSignal.timeout(FILE_MS * 2 + PAGE_MS * 2)
  const { root_domain } = ctx.site
  const page = await visit(outgoing, {
    url: url.href,
    agent,
    foreign_agent: agent,
    root_domain,
    timeout_ms: PAGE_MS,
    signal,
  })
  declineIfRefused(page)
  const asked = { origin: url.origin, agent, timeout_ms: FILE_MS }
  const isReachable = page.addresses !== null && (page.tls === null || page.tls.state === 'valid')
  const robots = isReachable ? await visitRobots(outgoing, { ...asked, signal }) : null
  const isAnswered = page.visit.state === 'answered'
  return describeAccess({
    text,
    url,
    checked_at: instantText(checked_at),
    agent,
    page,
    root_domain,
    robots: robots === null ? null : await readRobots(ctx, robots, url),
    llms_txt: isAnswered ? await findLlmsTxt(outgoing, asked) : null,
    organic: await readLastRequests(ctx, page_key),
  })
}

/** The URL without user name, password and fragment, with the path normalized by the URL parser. */
function normalise(text: string): URL {
  const url = new URL(text)
  url.username = ''
  url.password = ''
  url.hash = ''
  if (url.href.length > MAX_URL_LENGTH) {
    const most = MAX_URL_LENGTH.toLocaleString('en')
    throw new Refusal(
      'invalid_input',
      `The URL has ${url.href.length.toLocaleString('en')} characters after encoding; at most ${most} are allowed: give a shorter URL.`,
    )
  }
  return url
}

/** Refuses a URL, or a first redirect, to an address that the service does not request. Later ones are observations. */
function declineIfRefused({ refusal, visit: { hops } }: VisitTrace): void {
  if (refusal === null || refusal.kind !== 'invalid_input' || hops.length > 1) return
  if (hops.length === 1 && refusal.code !== 'address' && refusal.code !== 'port') return
  const subject =
    hops.length === 0 ? 'The URL is not requested' : 'The URL redirects to an address that is not requested'
  throw new Refusal('not_readable', `${subject}: ${refusal.message}`, { cause: refusal })
}

async function readRobots(
  { registries, control, clock, site }: SiteContext,
  found: RobotsVisit,
  url: URL,
): Promise<NonNullable<AccessObservation['robots']>> {
  const now = clock.now()
  const { entries } = await registries.current()
  const { is_challenge, is_declined, is_unreadable } = found
  const scheme = url.protocol === 'https:' ? 'https' : 'http'
  const answer: ThreadAnswer = await decideInThread({
    fetch: await fetchWithHistory(control.db, { site_id: site.id, scheme, host: url.host }, found, now),
    is_challenge,
    is_declined,
    is_unreadable,
    targets: [url.pathname + url.search],
    isStoredPath: false,
    crawlers: entries.map(({ robots_token, robots }) => ({ token: robots_token, reading: robots })),
  })
  return {
    found,
    fetched_at: instantText(now),
    answer,
    crawler_ids: entries.map(({ crawler_id, robots_token }) => ({ crawler_id, robots_token })),
  }
}

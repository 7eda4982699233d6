/** Builds the answer of an access check from its observations. Steps after a failed one are null (rules 8.5). */
import type { AccessCheck } from '#contract/site-api/index.ts'
import { pathV1 } from '#paths/path-v1.ts'
import type { ThreadAnswer, ThreadDecision } from '#robots/decide-thread.ts'
import { MAX_ROBOTS_BYTES } from '#robots/parse.ts'
import { describeTls } from './describe-findings.ts'
import type { LlmsTxt } from './llms-txt.ts'
import type { RobotsVisit } from './robots-visit.ts'
import { endsOnAnotherSite, type VisitTrace } from './visit.ts'

export interface AccessObservation {
  /** The URL as the caller gave it. */
  text: string
  url: URL
  checked_at: string
  agent: string
  root_domain: string
  page: VisitTrace
  /** Null if the host was not reached. */
  robots: {
    found: RobotsVisit
    fetched_at: string
    answer: ThreadAnswer
    crawler_ids: readonly { crawler_id: string; robots_token: string | null }[]
  } | null
  /** Null if there was no response for the page. */
  llms_txt: LlmsTxt | null
  organic: AccessCheck['organic']
}

/** The answer of an access check. */
export function describeAccess(observed: AccessObservation): AccessCheck {
  const { text, url, checked_at, agent, page, robots, llms_txt, organic } = observed
  const isResolved = page.addresses !== null
  // A later host without a valid certificate does not change the hops before it.
  const isSecured = page.tls === null || page.tls.state === 'valid'
  const lastTls = page.handshakes.at(-1)?.tls
  const isAnswered = page.visit.state === 'answered'
  return {
    checked_at,
    scope: 'current_state_only',
    url: text,
    normalized_url: url.href,
    agent,
    dns: {
      state: isResolved ? 'resolved' : 'failed',
      code: isResolved ? null : page.visit.code,
      addresses: [...(page.addresses ?? [])],
    },
    tls: lastTls === undefined ? null : describeTls(lastTls),
    robots: robots === null ? null : describeRobotsPart(robots),
    http: isResolved && isSecured ? describeHttp(page) : null,
    page_directives: isAnswered && isSecured ? describeDirectives(page, robots, llms_txt) : null,
    challenge: isAnswered && isSecured ? describeChallenge(observed) : null,
    organic,
    limitations: limitationsOf(observed),
  }
}

function describeRobotsPart({
  found,
  fetched_at,
  answer,
  crawler_ids,
}: NonNullable<AccessObservation['robots']>): AccessCheck['robots'] {
  const { url, status, sha256, body, is_truncated } = found
  return {
    url,
    fetched_status: status,
    fetched_at,
    sha256,
    size_bytes: sha256 === null ? null : Math.min(body.length, MAX_ROBOTS_BYTES),
    truncated: is_truncated,
    per_crawler: crawler_ids.map(({ crawler_id, robots_token }, index) => {
      const made = answer.decisions[index] as ThreadDecision
      const { decision, group, rule, line } = made
      return { crawler_id, token: robots_token, decision, group, rule, line, deviation: deviationText(made) }
    }),
  }
}

/** The deviation of the vendor; or why Spoor's own fetch decides nothing, and what the engine decides. */
function deviationText({ deviation, reason, engine, decision }: ThreadDecision): string | null {
  const named = [deviation, reason].filter((one) => one !== null)
  if (named.length === 0) return null
  const isCautious = decision === 'unknown' && engine !== null && engine !== 'unknown'
  return named.join(', ') + (isCautious ? ` (RFC 9309: ${engine})` : '')
}

function describeHttp({ visit }: VisitTrace): AccessCheck['http'] {
  const { state, hops, final_status, content_type, body_bytes, body_truncated } = visit
  return {
    state: HTTP_STATES[state],
    hops: hops.map(({ url, status, location, ms }) => ({ url, status, location, ms })),
    final_status,
    content_type,
    body_bytes,
    body_truncated,
  }
}

const HTTP_STATES = {
  answered: 'answered',
  timed_out: 'timed_out',
  not_connected: 'refused',
  broken_off: 'reset',
  too_many_redirects: 'too_many_redirects',
  loop: 'loop',
  refused_destination: 'refused',
} as const

/** Preferences in the response take precedence over those in robots.txt for all agents. */
function describeDirectives(
  { visit: { page_directives } }: VisitTrace,
  robots: AccessObservation['robots'],
  llms_txt: LlmsTxt | null,
): AccessCheck['page_directives'] {
  if (page_directives === null) return null
  const { content_signal, content_usage, ...rest } = page_directives
  return {
    ...rest,
    content_signal: content_signal ?? robots?.answer.content_signal ?? null,
    content_usage: content_usage ?? robots?.answer.content_usage ?? null,
    llms_txt: llms_txt ?? 'unknown',
  }
}

function describeChallenge({ page }: AccessObservation): AccessCheck['challenge'] {
  const { state, vendor, signals } = page.visit.challenge
  return { state, vendor, signals: signals.map(({ id }) => id) }
}

/** The observations of every host of the redirects. */
const originsOf = ({ handshakes, visit: { hops } }: VisitTrace) =>
  new Set([...handshakes.map(({ origin }) => origin), ...hops.map(({ url }) => new URL(url).origin)])

/** The limitations of the result. */
function limitationsOf(observed: AccessObservation): string[] {
  const { page, robots, url, root_domain } = observed
  const reasons = new Set(robots?.answer.decisions.map(({ reason }) => reason))
  const said: [string, boolean][] = [
    ['asked_as_spoor_only', true],
    ['certificate_revocation_not_checked', page.handshakes.length > 0],
    ['tls_of_last_https_host_only', page.handshakes.length > 0 && originsOf(page).size > 1],
    ['robots_refused_to_spoor', reasons.has('refused_to_spoor')],
    ['robots_not_asked', reasons.has('not_asked_by_spoor')],
    ['robots_unreadable', reasons.has('unreadable_to_spoor')],
    ['robots_is_challenge_page', reasons.has('challenge_page')],
    ['robots_read_up_to_500_kib', robots?.found.is_truncated === true],
    ['robots_too_complex', reasons.has('robots_too_complex')],
    ['final_page_on_another_site_not_read', endsOnAnotherSite(page.visit, root_domain)],
    ['body_read_up_to_2_mib', page.visit.body_truncated],
    ['query_not_in_organic', url.search !== ''],
    ['path_redacted_in_organic', pathV1(url.pathname).fidelity === 'redacted'],
  ]
  return said.filter(([, applies]) => applies).map(([limitation]) => limitation)
}

/** Findings as inspections and access checks report them (rules 8.3, 8.5). */
import { instantText } from '#clock.ts'
import type { TlsObservation } from '#outgoing/connect.ts'
import type { ThreadDecision } from '#robots/decide-thread.ts'
import { MAX_ROBOTS_BYTES } from '#robots/parse.ts'
import type { RobotsFinding, RobotsVerdict, TlsFinding } from './inspection.ts'
import type { RobotsVisit } from './robots-visit.ts'

/** The TLS part of the answer. */
export function describeTls({ expires_at, ...tls }: TlsObservation): TlsFinding {
  const { state, code, protocol, issuer, names_match } = tls
  return {
    state,
    code,
    protocol,
    issuer,
    expires_at: expires_at === null ? null : instantText(expires_at),
    names_match,
  }
}

/** The robots.txt part of the answer. */
export function describeRobots(
  robots: RobotsVisit,
  fetched_at: number,
  decision: ThreadDecision | null,
): RobotsFinding {
  const { url, status, code, sha256, is_truncated, body } = robots
  return {
    url,
    fetched_status: status,
    code,
    fetched_at: instantText(fetched_at),
    sha256,
    size_bytes: sha256 === null ? null : Math.min(body.length, MAX_ROBOTS_BYTES),
    truncated: is_truncated,
    verdict: decision === null ? null : describeVerdict(decision),
  }
}

/** `deviation` is why the decision differs from RFC 9309, or why there is no decision. */
export function describeVerdict({ decision, group, rule, line, deviation, reason }: ThreadDecision): RobotsVerdict {
  return { decision, group, rule, line, deviation: deviation ?? reason }
}

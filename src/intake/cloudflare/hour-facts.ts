/** Turns an hour's groups into facts: one for each host, path, status, method, edge action and agent (rules 4). */
import { createHash } from 'node:crypto'
import { pathClass } from '#paths/path-class.ts'
import { pathV1 } from '#paths/path-v1.ts'
import { belongsTo, normalizeHost } from '#sites/root-domain.ts'
import type { Fact, FactAgent } from '../facts/fact.ts'
import { type EdgeAction, edgeActionOf } from '../log/edge-action.ts'
import { observedStatus } from '../log/observed-status.ts'
import { sampledNumber } from './hour-sampling.ts'
import type { Group } from './request-groups.ts'
import type { HourRead } from './slice-hour.ts'
import type { ClassifyAgent } from './zone-agents.ts'

/** The path of all requests of a host, if the plan gives no paths. */
export const UNKNOWN_PATH = ':unknown'

export interface HourOrigin {
  source_id: string
  /** Number of the reading. */
  reading: number
  root_domain: string
}

/** Facts of a reading, without human groups and other sites' hosts. `storedHost` bounds the number of hosts. */
export function hourFacts(
  read: HourRead,
  of: HourOrigin,
  judge: ClassifyAgent,
  storedHost: (host: string) => string,
): Fact[] {
  const facts = new Map<string, Fact>()
  for (const group of read.groups) {
    const host = hostOf(group, of.root_domain)
    const agent = judge(group.dimensions.userAgent, group.dimensions.verifiedBotCategory)
    if (host === null || agent === null || group.count === 0) continue
    const fact = factOf({ ...of, hour: read.hour }, group, storedHost(host), agent)
    const same = facts.get(fact.event)
    if (same === undefined) facts.set(fact.event, fact)
    else {
      same.requests += fact.requests
      same.provider_estimate = group.count + (same.provider_estimate as number)
    }
  }
  return [...facts.values()]
}

/** The host of a group; null: it belongs to another site. An address counts for the site's own host. */
function hostOf({ dimensions }: Group, root_domain: string): string | null {
  const host = normalizeHost(dimensions.clientRequestHTTPHost ?? '') ?? root_domain
  return belongsTo(host, root_domain) ? host : null
}

function factOf(of: HourOrigin & { hour: number }, group: Group, host: string, agent: FactAgent): Fact {
  const { clientRequestPath, edgeResponseStatus = null, clientRequestHTTPMethodName = '' } = group.dimensions
  const path = clientRequestPath === undefined ? null : pathV1(clientRequestPath.toWellFormed())
  const named = {
    host,
    path: path === null ? UNKNOWN_PATH : path.path,
    status: observedStatus(edgeResponseStatus) ?? UNOBSERVED,
    status_raw: edgeResponseStatus ?? UNOBSERVED,
    method: clientRequestHTTPMethodName.toUpperCase().slice(0, MAX_METHOD_LENGTH),
    edge_action: edgeAction(group),
    agent_key: agent.agent_key,
  }
  return {
    ...named,
    event: eventOf([of.source_id, of.hour, of.reading, ...Object.values(named)]),
    at: of.hour,
    precision: 'hour',
    reading: of.reading,
    requests: sampledNumber(group),
    provider_estimate: group.count,
    path_fidelity: path?.fidelity ?? 'redacted',
    path_class: pathClass(named.path),
    user_agent: agent.user_agent,
  }
}

const UNOBSERVED = 0
const MAX_METHOD_LENGTH = 32

/** The action of the edge; null: the plan does not give it. Cloudflare writes an empty text if no rule acted. */
function edgeAction({ dimensions: { securityAction } }: Group): EdgeAction | null {
  if (securityAction === undefined) return null
  return securityAction === '' ? 'none' : edgeActionOf(securityAction)
}

/** An event, 128 bits, decimal. Each reading has events of its own, because it replaces the earlier one. */
function eventOf(parts: readonly (string | number | null)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return BigInt(`0x${digest.slice(0, 32)}`).toString()
}

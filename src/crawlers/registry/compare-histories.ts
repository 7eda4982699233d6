/** Compares all stored requests under two registry versions, for `registry update` and `use` (decisions 3.3). */
import Type from 'typebox'
import { IDENTITIES, type Identity } from '#contract/vocabulary.ts'
import { count, type Row, rows } from '#evidence/sql.ts'
import type { CrawlerContext } from '../context.ts'
import { readAnswers } from '../identity/address-proofs.sql.ts'
import { judgeClaim } from '../identity/judge-claim.ts'
import type { NameAnswer } from '../identity/reverse-dns-answers.ts'
import { findAllCountingReadings, inCountingReadings } from '../roll-ups/counting-readings.ts'
import type { Registry } from './classify.ts'
import { factsOf, pendingId } from './label-agents.ts'

/** The history of a crawler under one version; null if that version does not have the crawler. */
export interface CrawlerHistory {
  requests: number
  purpose: string
  /** Requests by identity; their sum is `requests`. */
  identities: Record<Identity, number>
}

export interface RegistryChange {
  crawler_id: string
  before: CrawlerHistory | null
  after: CrawlerHistory | null
}

const AgentHistory = Type.Object({ user_agent: Type.String(), proof: Type.String(), requests: count() })

/** All stored requests that count, by agent, over all sites, with the facts about their clients. */
const agentHistories = (readings: readonly number[]) => rows(AgentHistory)`
  SELECT user_agent, ifNull(known_proof, '') AS proof, sum(counted_requests) AS requests
  FROM (
    SELECT agent_key, toString(any(user_agent)) AS user_agent, sum(requests) AS counted_requests
    FROM spoor.requests FINAL
    WHERE ${inCountingReadings(readings)}
    GROUP BY agent_key
  ) AS counted
  LEFT JOIN (SELECT agent_key, any(proof) AS known_proof FROM spoor.agents GROUP BY agent_key) AS agents USING (agent_key)
  GROUP BY user_agent, proof
  ORDER BY user_agent, proof`

type Histories = Map<string, CrawlerHistory>

const LIMITS = { max_seconds: 600, max_memory_mb: 1_000 }

/** Crawlers whose requests, purpose or identities differ between two versions, by crawler id. */
export async function compareHistories(
  ctx: CrawlerContext,
  before: Registry | null,
  after: Registry,
): Promise<RegistryChange[]> {
  const readings = await findAllCountingReadings(ctx.control.db)
  const agents = await ctx.evidence.all(agentHistories(readings), LIMITS)
  const answers = await readAnswers(
    ctx.evidence,
    agents.flatMap((agent) => pendingId(agent) ?? []),
  )
  const old = before === null ? new Map<string, CrawlerHistory>() : historiesOf(before, agents, answers)
  const fresh = historiesOf(after, agents, answers)
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .sort()
    .map((crawler_id) => ({ crawler_id, before: old.get(crawler_id) ?? null, after: fresh.get(crawler_id) ?? null }))
    .filter(({ before: was, after: is }) => was === null || is === null || differ(was, is))
}

function differ(was: CrawlerHistory, is: CrawlerHistory): boolean {
  return (
    was.requests !== is.requests ||
    was.purpose !== is.purpose ||
    IDENTITIES.some((identity) => was.identities[identity] !== is.identities[identity])
  )
}

function historiesOf(
  registry: Registry,
  agents: readonly Row<ReturnType<typeof agentHistories>>[],
  answers: ReadonlyMap<string, NameAnswer>,
): Histories {
  const histories: Histories = new Map()
  for (const agent of agents) {
    const entry = registry.classify(agent.user_agent)
    if (entry === null) continue
    const { identity } = judgeClaim(registry, entry, factsOf(agent, answers))
    const known = histories.get(entry.crawler_id) ?? {
      requests: 0,
      purpose: entry.purpose,
      identities: { unknown: 0, ua_identified: 0, provider_verified: 0, network_verified: 0 },
    }
    known.requests += agent.requests
    known.identities[identity] += agent.requests
    histories.set(entry.crawler_id, known)
  }
  return histories
}

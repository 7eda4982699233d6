import { instantText } from '#clock.ts'
import { compareBytes } from '#compare-text.ts'
import type { UnregisteredAgents, UnregisteredAgentsInput } from '#contract/site-api/index.ts'
import { PURPOSES } from '#contract/vocabulary.ts'
import type { Row } from '#evidence/sql.ts'
import { readSplit } from './cached-counts.ts'
import type { SiteContext } from './context.ts'
import { withReading } from './coverage/fall-back-to-roll-ups.ts'
import type { CrawlerReading } from './coverage/meta.ts'
import { publish } from './coverage/publish-count.ts'
import { type CrawlerScope, isEmpty } from './scope.sql.ts'
import { unregisteredAgents } from './unregistered-agents.sql.ts'

/**
 * Automated agents of the window that the registry in force does not know, most requests first; in no total of another
 * answer (rules 2). Known are those whose requests were recognised as automated when they were received: others were
 * dropped (rules 4).
 */
export async function readUnregisteredAgents(
  ctx: SiteContext,
  { window, limit }: UnregisteredAgentsInput,
): Promise<UnregisteredAgents> {
  return withReading(ctx, { window, purpose: PURPOSES }, (reading) => listAgents(ctx, reading, limit))
}

async function listAgents(
  ctx: SiteContext,
  { meta, verdict, scope }: CrawlerReading,
  limit: number,
): Promise<UnregisteredAgents> {
  const counts = isEmpty(scope) ? [] : await countAgents(ctx, scope, limit)
  const { registry_version } = scope
  const registry = await (registry_version === null ? ctx.registries.current() : ctx.registries.open(registry_version))
  const [first] = counts
  const total = first === undefined ? 0 : first.total_agents
  return {
    meta,
    limit,
    returned_count: counts.length,
    total_count: publish(verdict, total),
    truncated: total > counts.length,
    observed_request_count: publish(verdict, first === undefined ? 0 : first.total_requests),
    agents: counts.map((row) => ({
      agent: row.agent,
      observed_request_count: row.requests,
      first_seen: instantText(row.first_at),
      last_seen: instantText(row.last_at),
      signs: [
        ...registry.signsOf(row.example),
        ...(row.has_verdict ? [{ sign: 'provider_verdict' as const, text: null }] : []),
      ],
    })),
  }
}

type AgentCount = Row<ReturnType<typeof unregisteredAgents>>

/** Where a part of the window has more agents than this, one statement counts and ranks those of all. */
const MAX_AGENTS = 2_000
const BYTES_A_ROW = 200

/** The first `limit` agents, from cached counts of the closed days and of the others. */
async function countAgents(ctx: SiteContext, scope: CrawlerScope, limit: number): Promise<AgentCount[]> {
  const parts = await readSplit<AgentCount[] | null>(ctx, scope, {
    name: 'unregistered agents',
    read: async (of, evidence) => {
      const counts = await evidence.all(unregisteredAgents(of, MAX_AGENTS))
      return counts.some(({ total_agents }) => total_agents > MAX_AGENTS) ? null : counts
    },
    bytesOf: (counts) =>
      (counts ?? []).reduce((sum, { agent, example }) => sum + BYTES_A_ROW + agent.length + example.length, 0),
  })
  const known = parts.filter((counts) => counts !== null)
  if (known.length < parts.length) return ctx.evidence.all(unregisteredAgents(scope, limit))
  const agents = [...Map.groupBy(known.flat(), ({ agent }) => agent).values()].map(addUpAgent)
  const total_requests = agents.reduce((sum, { requests }) => sum + requests, 0)
  agents.sort((a, b) => b.requests - a.requests || compareBytes(a.agent, b.agent))
  return agents.slice(0, limit).map((row) => ({ ...row, total_agents: agents.length, total_requests }))
}

function addUpAgent(rows: readonly AgentCount[]): AgentCount {
  return {
    ...(rows[0] as AgentCount),
    has_verdict: rows.some((row) => row.has_verdict),
    requests: rows.reduce((sum, { requests }) => sum + requests, 0),
    first_at: Math.min(...rows.map((row) => row.first_at)),
    last_at: Math.max(...rows.map((row) => row.last_at)),
  }
}

/** Stores agents and their labels, before the facts that refer to them (rules 3, 4). */
import type { CrawlerContext } from '#crawlers/context.ts'
import { labelInForce } from '#crawlers/registry/label-agents.ts'
import { jsonRows } from '#evidence/rows/json-rows.ts'
import { type FactAgent, instantOfRow } from './fact.ts'

/** Stores agents with their labels of the version in force. Repeats change nothing, and are skipped. */
export async function storeAgents(ctx: CrawlerContext, agents: readonly FactAgent[]): Promise<void> {
  const stored = ctx.intake.stored_agents
  const fresh = [...new Map(agents.map((agent) => [agent.agent_key, agent])).values()].filter(
    (agent) => !stored.has(agent.agent_key),
  )
  if (fresh.length === 0) return
  const now = instantOfRow(ctx.clock.now())
  const agentRows = fresh.map((agent) => [agent.agent_key, agent.user_agent.toWellFormed(), agent.proof, now])
  await ctx.evidence.insert('agents', jsonRows(agentRows), agentRows.length)
  await labelInForce(ctx, fresh)
  if (stored.size + fresh.length > MAX_REMEMBERED) stored.clear()
  for (const agent of fresh) stored.add(agent.agent_key)
}

/** The most agents that are known to be stored; beyond it all are forgotten, and stored again. */
const MAX_REMEMBERED = 200_000

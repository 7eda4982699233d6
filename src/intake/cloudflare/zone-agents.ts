/** The agents of a zone's groups: human ones are dropped, crawlers keep the provider's verdict as proof (rules 4). */
import type { Prover } from '#crawlers/identity/prover.ts'
import type { Registry } from '#crawlers/registry/classify.ts'
import { agentKey, type FactAgent } from '../facts/fact.ts'
import { MAX_NEW_AGENTS, sharedAgentName } from '../facts/invented-agents.ts'
import { isOwnInspection } from '../facts/own-inspections.ts'
import { longestInterval } from './hour-sampling.ts'
import type { Group } from './request-groups.ts'
import type { TimeSlice } from './slice-hour.ts'

/** The agent if it is automated; null: a human, or an inspection of this installation. */
export type ClassifyAgent = (userAgent: string, verifiedBotCategory: string | undefined) => FactAgent | null

/** Enough for every documented agent, as in logs. */
const MAX_AGENT_LENGTH = 1_024

/**
 * Classifies each distinct agent of a reading once. Any category of verified bots makes an agent automated; which
 * crawler it claims to be follows only from the registry's token (registry notes 4).
 */
export function classifyAgents(
  registry: Registry,
  prover: Pick<Prover, 'prove'>,
  { at, received_at, own_inspections }: { at: number; received_at: number; own_inspections: ReadonlySet<string> },
): { judge: ClassifyAgent; automated(): FactAgent[] } {
  const judged = new Map<string, FactAgent | null>()
  const stored = new Map<string, FactAgent>()
  const agentOf = (user_agent: string, proof: string): FactAgent => {
    const agent = { user_agent, proof, agent_key: agentKey(user_agent, proof) }
    if (stored.size < MAX_NEW_AGENTS || stored.has(agent.agent_key)) return agent
    const shared = sharedAgentName(registry.classify(user_agent))
    return { user_agent: shared, proof: '', agent_key: agentKey(shared) }
  }
  const judgeOne = (user_agent: string, is_verified: boolean): FactAgent | null => {
    if (isOwnInspection(user_agent, own_inspections)) return null
    if (!is_verified && !registry.isAutomated(user_agent)) return null
    const verified_bot = is_verified ? { provider: 'cloudflare' } : null
    // The provider gives no address.
    const client = { user_agent, verified_bot, address: null, attested: false, signature_verified: false } as const
    const agent = agentOf(user_agent, prover.prove({ ...client, at, received_at }))
    stored.set(agent.agent_key, agent)
    return agent
  }
  return {
    judge(userAgent, category) {
      const user_agent = userAgent.toWellFormed().slice(0, MAX_AGENT_LENGTH)
      const is_verified = category !== undefined && category !== ''
      const key = `${is_verified} ${user_agent}`
      const known = judged.get(key)
      if (known !== undefined) return known
      const agent = judgeOne(user_agent, is_verified)
      judged.set(key, agent)
      return agent
    },
    automated: () => [...stored.values()],
  }
}

/** The answer without human groups, of which an hour may have more than fit into memory. */
export function withoutHumans(groups: readonly Group[], isAutomated: (group: Group) => boolean): TimeSlice {
  return {
    rows: groups.length,
    max_interval: longestInterval(groups),
    automated: groups.filter(isAutomated),
  }
}

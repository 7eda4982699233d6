/** Labels of agents by registry version: facts at rest, labels at read (decisions 3.1, rules 4). */
import Type from 'typebox'
import { jsonRows } from '#evidence/json-rows.ts'
import { rows, text } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { Registry } from './classify.ts'

export interface Agent {
  /** 64-bit key of user agent and proof facts, as a decimal string. */
  agent_key: string
  user_agent: string
}

const BATCH = 20_000

/** Writes the labels that a registry gives to these agents; agents it does not know get none. Repeats change nothing. */
export async function labelAgents(
  evidence: EvidenceStore,
  registry: Registry,
  agents: readonly Agent[],
): Promise<void> {
  const labels = agents.flatMap((agent) => {
    const entry = registry.classify(agent.user_agent)
    if (entry === null) return []
    return [[registry.version, agent.agent_key, entry.crawler_id, entry.purpose, 'ua_identified', entry.scope]]
  })
  for (let start = 0; start < labels.length; start += BATCH) {
    const batch = labels.slice(start, start + BATCH)
    await evidence.insert('agent_labels', jsonRows(batch), batch.length)
  }
}

const AgentRow = Type.Object({ agent_key: Type.String(), user_agent: Type.String() })

const agentsWithoutLabel = (version: string) => rows(AgentRow)`
  SELECT toString(agent_key) AS agent_key, any(user_agent) AS user_agent
  FROM spoor.agents
  WHERE agent_key NOT IN (SELECT agent_key FROM spoor.agent_labels WHERE registry_version = ${text(version)})
  GROUP BY agent_key
  ORDER BY agent_key`

/** Labels every agent ever seen by a registry, before it takes over. */
export async function labelAllAgents(evidence: EvidenceStore, registry: Registry): Promise<void> {
  await labelAgents(evidence, registry, await evidence.all(agentsWithoutLabel(registry.version)))
}

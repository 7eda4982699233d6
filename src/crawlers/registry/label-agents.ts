/** Labels of agents by registry version. Stored facts have no labels; answers add them (decisions 3.1, rules 4). */
import Type from 'typebox'
import { jsonRows } from '#evidence/rows/json-rows.ts'
import { type Parameter, type Row, rows, text, uint64 } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { readAnswers } from '../identity/address-proofs.sql.ts'
import { judgeClaim } from '../identity/judge-claim.ts'
import { type ProofFacts, readProof } from '../identity/proof-facts.ts'
import type { NameAnswer } from '../identity/reverse-dns-answers.ts'
import type { Registry } from './classify.ts'

export interface Agent {
  /** 64-bit key of user agent and proof facts, as a decimal string. */
  agent_key: string
  user_agent: string
  /** The text of its proof facts; empty or missing if there are none. */
  proof?: string
}

type Label = [version: string, agent_key: string, crawler_id: string, purpose: string, identity: string, scope: string]

const BATCH = 20_000

/**
 * Writes the labels of these agents under a registry, judged by their proof. Unknown agents get none. Repeating it
 * changes nothing; a later label replaces an earlier one.
 */
export async function labelAgents(
  evidence: EvidenceStore,
  registry: Registry,
  agents: readonly Agent[],
): Promise<void> {
  for (let start = 0; start < agents.length; start += BATCH) {
    const batch = agents.slice(start, start + BATCH)
    const ids = batch.flatMap((agent) => pendingId(agent) ?? [])
    let known = await readAnswers(evidence, ids)
    await insertLabels(evidence, labelsOf(registry, batch, known))
    // TRICKY: an answer may arrive while labels are written, and its labels may be written before these. So answers are
    // read again, and the last reader writes last ("a proof that arrives while its agent is labelled").
    for (let now = await readAnswers(evidence, ids); now.size > known.size; now = await readAnswers(evidence, ids)) {
      const late = batch.filter((agent) => isNew(pendingId(agent), known, now))
      known = now
      await insertLabels(evidence, labelsOf(registry, late, known))
    }
  }
}

/**
 * Writes the labels of stored agents under the version in force, again if another one comes into force meanwhile, which
 * may have labelled all agents before these were stored.
 */
export async function labelInForce(
  { evidence, registries }: { evidence: EvidenceStore; registries: { current(): Promise<Registry> } },
  agents: readonly Agent[],
): Promise<void> {
  let labelled = ''
  for (let registry = await registries.current(); registry.version !== labelled; ) {
    await labelAgents(evidence, registry, agents)
    labelled = registry.version
    registry = await registries.current()
  }
}

/** Labels every agent by a registry before it comes into force, except agents that already have their label. */
export async function labelAllAgents(evidence: EvidenceStore, registry: Registry): Promise<void> {
  let after: string | null = null
  for (;;) {
    const page: Row<ReturnType<typeof labelledAgents>>[] = await evidence.all(labelledAgents(registry.version, after))
    const ids = page.flatMap((agent) => pendingId(agent) ?? [])
    const had = new Map(page.map((agent) => [agent.agent_key, agent]))
    const labels = labelsOf(registry, page, await readAnswers(evidence, ids)).filter(
      ([, key, , purpose, identity]) => had.get(key)?.purpose !== purpose || had.get(key)?.identity !== identity,
    )
    const others = new Set(labels.map(([, key]) => key))
    await labelAgents(
      evidence,
      registry,
      page.filter((agent) => others.has(agent.agent_key)),
    )
    if (page.length < BATCH) return
    after = (page.at(-1) as (typeof page)[number]).agent_key
  }
}

/** The facts of an agent, with the answers of reverse DNS that have arrived since. */
export function factsOf(
  { proof = '' }: { proof?: string },
  answers: ReadonlyMap<string, NameAnswer>,
): ProofFacts | null {
  const facts = readProof(proof)
  if (facts === null || facts.rdns === null || facts.rdns === 'none' || !('pending' in facts.rdns)) return facts
  const answer = answers.get(facts.rdns.pending)
  return answer === undefined ? facts : { ...facts, rdns: answer }
}

/** The id under which the names of an agent's address are pending; null if they are not. */
export function pendingId({ proof = '' }: { proof?: string }): string | null {
  if (!proof.includes('"pending"')) return null
  const rdns = readProof(proof)?.rdns
  return typeof rdns === 'object' && rdns !== null && 'pending' in rdns ? rdns.pending : null
}

function isNew(id: string | null, before: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>): boolean {
  return id !== null && now.has(id) && !before.has(id)
}

function labelsOf(registry: Registry, agents: readonly Agent[], answers: ReadonlyMap<string, NameAnswer>): Label[] {
  return agents.flatMap((agent): Label[] => {
    const entry = registry.classify(agent.user_agent)
    if (entry === null) return []
    const { identity } = judgeClaim(registry, entry, factsOf(agent, answers))
    return [[registry.version, agent.agent_key, entry.crawler_id, entry.purpose, identity, entry.scope]]
  })
}

async function insertLabels(evidence: EvidenceStore, labels: readonly Label[]): Promise<void> {
  if (labels.length > 0) await evidence.insert('agent_labels', jsonRows(labels), labels.length)
}

const LabelledAgent = Type.Object({
  agent_key: Type.String(),
  user_agent: Type.String(),
  proof: Type.String(),
  purpose: Type.String(),
  identity: Type.String(),
})

/** Agents in the order of their keys, with their label of this version; empty texts without one. */
const labelledAgents = (version: string, after: string | null) => {
  const first: Parameter = uint64(after ?? '0')
  return rows(LabelledAgent)`
  SELECT toString(key) AS agent_key, user_agent, proof, ifNull(purpose, '') AS purpose, ifNull(identity, '') AS identity
  FROM (
    SELECT agent_key AS key, any(user_agent) AS user_agent, any(proof) AS proof
    FROM spoor.agents
    WHERE agent_key > ${first} OR (agent_key = ${first} AND ${uint64(after === null ? 1 : 0)} = 1)
    GROUP BY key
    ORDER BY key
    LIMIT ${uint64(BATCH)}
  ) AS agents
  LEFT JOIN (
    SELECT agent_key AS key, toString(purpose) AS purpose, toString(identity) AS identity
    FROM spoor.agent_labels FINAL
    WHERE registry_version = ${text(version)}
  ) AS labels USING (key)
  ORDER BY key`
}

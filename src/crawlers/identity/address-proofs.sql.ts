/** Answers of reverse DNS, by the id in the proof of agents; addresses are not stored here. */
import Type from 'typebox'
import { jsonRows } from '#evidence/rows/json-rows.ts'
import { list, rows } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { NameAnswer } from './reverse-dns-answers.ts'

const MAX_IDS = 5_000

const Answer = Type.Object({ proof_id: Type.String(), suffix: Type.String() })

const answersOf = (ids: readonly string[]) => rows(Answer)`
  SELECT toString(id) AS proof_id, suffix FROM spoor.address_proofs FINAL WHERE id IN ${list('UUID', ids)}`

/** The answers for these ids that have arrived. */
export async function readAnswers(evidence: EvidenceStore, ids: readonly string[]): Promise<Map<string, NameAnswer>> {
  const answers = new Map<string, NameAnswer>()
  for (let start = 0; start < ids.length; start += MAX_IDS) {
    for (const { proof_id, suffix } of await evidence.all(answersOf(ids.slice(start, start + MAX_IDS)))) {
      answers.set(proof_id, suffix === '' ? 'none' : { suffix })
    }
  }
  return answers
}

/** Stores answers; storing one again changes nothing. */
export async function storeAnswers(evidence: EvidenceStore, answers: ReadonlyMap<string, NameAnswer>): Promise<void> {
  if (answers.size === 0) return
  const table = [...answers].map(([id, answer]) => [id, answer === 'none' ? '' : answer.suffix])
  await evidence.insert('address_proofs', jsonRows(table), table.length)
}

const AgentOfId = Type.Object({ agent_key: Type.String(), user_agent: Type.String(), proof: Type.String() })

/** Agents whose proof has one of these ids. */
export const agentsWaitingFor = (ids: readonly string[]) => rows(AgentOfId)`
  SELECT toString(key) AS agent_key, user_agent, proof
  FROM (SELECT agent_key AS key, any(user_agent) AS user_agent, any(proof) AS proof FROM spoor.agents GROUP BY key) AS agents
  WHERE JSONExtractString(proof, 'rdns', 'pending') IN ${list('String', ids)}
  ORDER BY key`

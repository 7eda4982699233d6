/** Agents that may open or advance an issue: no impostors, and no unproved claims that could be proved (rules 8.1). */
import Type from 'typebox'
import { HOUR_MS } from '#clock.ts'
import { labelsOfVersion } from '#crawlers/scope.sql.ts'
import { type Fragment, instant, list, type Row, rows, sql, tuples, uint } from '#evidence/sql.ts'
import type { OutcomeScope } from './detection-scope.ts'

/** Requests whose address still waits for reverse DNS count after this time. */
export const PROOF_WAIT_MS = 2 * HOUR_MS

/** The inputs that decide, with the tables, which agents are eligible. */
export type EligibilityInput = Pick<OutcomeScope, 'scope' | 'published'>

/** The part `eligible`: agents of crawlers that may open or advance an issue, with the rank of their identity. */
export const eligibleFromTables = ({ scope, published }: EligibilityInput): Fragment => sql`
  -- Claims with proof facts: whether the proof is awaited, and whether it was possible and did not succeed.
  claim_states AS (
    SELECT agent_key, JSONHas(proof, 'rdns', 'pending') AS is_waiting,
      JSONExtractBool(proof, 'attested') AND (
        JSONExtractString(proof, 'rdns') = 'none' OR JSONHas(proof, 'rdns', 'suffix')
        OR arrayExists(held -> (claims.crawler_id, held) IN ${tuples(
          'Tuple(String, String)',
          published.map(({ crawler_id, list }) => [crawler_id, list]),
        )}, splitByChar(' ', JSONExtractString(proof, 'held')))
      ) AS is_unproven
    FROM spoor.agents
    INNER JOIN (SELECT agent_key, crawler_id FROM (${labelsOfVersion(scope)}) WHERE identity = 'ua_identified') AS claims
      USING (agent_key)
    WHERE proof != ''
    GROUP BY agent_key, is_waiting, is_unproven
  ),
  -- Agents of crawlers, without impostors; the stronger the identity, the higher the rank.
  eligible AS (
    SELECT agent_key, crawler_id, multiIf(identity = 'network_verified', 3, identity = 'provider_verified', 2, 1) AS rank,
      ifNull(is_waiting, 0) AS is_waiting
    FROM (${labelsOfVersion(scope)}
    ) AS labelled
    LEFT JOIN claim_states USING (agent_key)
    WHERE identity != 'unknown' AND ifNull(is_unproven, 0) = 0
  )`

const EligibleAgent = Type.Object({
  agent_key: Type.String(),
  crawler_id: Type.String(),
  rank: Type.Integer(),
  is_waiting: Type.Integer(),
})

/** The rows of the part `eligible`, at most `limit`. */
export const eligibleAgents = (input: EligibilityInput, limit: number) => rows(EligibleAgent)`
  WITH ${eligibleFromTables(input)}
  SELECT toString(agent_key) AS agent_key, toString(crawler_id) AS crawler_id, toUInt8(rank) AS rank,
    toUInt8(is_waiting) AS is_waiting
  FROM eligible
  ORDER BY agent_key, crawler_id
  LIMIT ${uint(limit)}`

/** The part `eligible` as a list of these rows, which takes a statement far less time than finding the agents. */
export const eligibleFromRows = (agents: readonly Row<ReturnType<typeof eligibleAgents>>[]): Fragment => {
  const column = <K extends keyof (typeof agents)[number]>(name: K) => agents.map((agent) => agent[name])
  return sql`
  eligible AS (
    SELECT agent_key, crawler_id, rank, is_waiting
    FROM (
      SELECT ${list('UInt64', column('agent_key'))} AS agent_key, ${list('String', column('crawler_id'))} AS crawler_id,
        ${list('UInt8', column('rank'))} AS rank, ${list('UInt8', column('is_waiting'))} AS is_waiting
    )
    ARRAY JOIN agent_key, crawler_id, rank, is_waiting
  )`
}

/** Requests whose proof is still awaited do not count yet. A sum of requests counts if its first request does. */
export const countsNow = ({ as_of }: OutcomeScope): Fragment =>
  sql`(NOT is_waiting OR first_at <= ${instant(as_of - PROOF_WAIT_MS)})`

/** Whether the last request of such a sum does not count yet: then only facts show how many requests count. */
export const isPartlyWaiting = ({ as_of }: OutcomeScope): Fragment =>
  sql`(is_waiting AND last_at > ${instant(as_of - PROOF_WAIT_MS)})`

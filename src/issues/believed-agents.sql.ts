/** Which agents may make or move an issue: no impostors and no claims that could be proven and were not (rules 8.1). */
import Type from 'typebox'
import { HOUR_MS } from '#clock.ts'
import { labelsOfVersion } from '#crawlers/scope.sql.ts'
import { type Fragment, instant, list, type Row, rows, sql, tuples, uint } from '#evidence/sql.ts'
import type { OutcomeScope } from './detection-scope.ts'

/** A request whose address waits for its names takes part after this long all the same. */
export const PROOF_WAIT_MS = 2 * HOUR_MS

/** What decides who is believed, besides the tables. */
export type BelievedBy = Pick<OutcomeScope, 'scope' | 'published'>

/** The part `believed`: agents of crawlers that may make or move an issue, and how well they are identified. */
export const believedOfTables = ({ scope, published }: BelievedBy): Fragment => sql`
  -- Agents that wait for proof, and claims whose proof was possible and did not succeed.
  doubted AS (
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
  -- Agents of crawlers, impostors left out; the rank rises with the identity.
  believed AS (
    SELECT agent_key, crawler_id, multiIf(identity = 'network_verified', 3, identity = 'provider_verified', 2, 1) AS rank,
      ifNull(is_waiting, 0) AS is_waiting
    FROM (${labelsOfVersion(scope)}
    ) AS labelled
    LEFT JOIN doubted USING (agent_key)
    WHERE identity != 'unknown' AND ifNull(is_unproven, 0) = 0
  )`

const BelievedAgent = Type.Object({
  agent_key: Type.String(),
  crawler_id: Type.String(),
  rank: Type.Integer(),
  is_waiting: Type.Integer(),
})

/** The rows of that part, at most so many. */
export const believedAgents = (of: BelievedBy, limit: number) => rows(BelievedAgent)`
  WITH ${believedOfTables(of)}
  SELECT toString(agent_key) AS agent_key, toString(crawler_id) AS crawler_id, toUInt8(rank) AS rank,
    toUInt8(is_waiting) AS is_waiting
  FROM believed
  ORDER BY agent_key, crawler_id
  LIMIT ${uint(limit)}`

/** The part `believed` of these rows: a list costs a statement far less than to find them again. */
export const believedOfRows = (agents: readonly Row<ReturnType<typeof believedAgents>>[]): Fragment => {
  const column = <K extends keyof (typeof agents)[number]>(name: K) => agents.map((agent) => agent[name])
  return sql`
  believed AS (
    SELECT agent_key, crawler_id, rank, is_waiting
    FROM (
      SELECT ${list('UInt64', column('agent_key'))} AS agent_key, ${list('String', column('crawler_id'))} AS crawler_id,
        ${list('UInt8', column('rank'))} AS rank, ${list('UInt8', column('is_waiting'))} AS is_waiting
    )
    ARRAY JOIN agent_key, crawler_id, rank, is_waiting
  )`
}

/** A request whose proof is awaited takes part later; of a sum of requests at least the first. */
export const takesPart = ({ as_of }: OutcomeScope): Fragment =>
  sql`(NOT is_waiting OR first_at <= ${instant(as_of - PROOF_WAIT_MS)})`

/** Of a sum that takes part, whether its last request does not: how many do is known from facts alone. */
export const takesPartInPart = ({ as_of }: OutcomeScope): Fragment =>
  sql`(is_waiting AND last_at > ${instant(as_of - PROOF_WAIT_MS)})`

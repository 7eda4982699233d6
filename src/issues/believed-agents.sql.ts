/** Which agents may make or move an issue: no impostors and no claims that could be proven and were not (rules 8.1). */
import { HOUR_MS } from '#clock.ts'
import { labelsOfVersion } from '#crawlers/scope.sql.ts'
import { type Fragment, instant, sql, tuples } from '#evidence/sql.ts'
import type { OutcomeScope } from './detection-scope.ts'

/** A request whose address waits for its names takes part after this long all the same. */
export const PROOF_WAIT_MS = 2 * HOUR_MS

/** The part `believed`: agents of crawlers that may make or move an issue, and how well they are identified. */
export const believed = ({ scope, published }: OutcomeScope): Fragment => sql`
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

/** A request whose proof is awaited takes part later. */
export const takesPart = ({ as_of }: OutcomeScope): Fragment =>
  sql`(NOT is_waiting OR first_at <= ${instant(as_of - PROOF_WAIT_MS)})`

import Type from 'typebox'
import { count, rows, sql, text, uint } from '#evidence/sql.ts'
import { type CrawlerScope, countedOutcomes } from './scope.sql.ts'

const AgentCount = Type.Object({
  agent: Type.String(),
  /** One of the agents that are equal to `agent` once they are masked; never published. */
  example: Type.String(),
  has_verdict: Type.Boolean(),
  requests: count(),
  /** Epoch milliseconds. */
  first_at: count(),
  last_at: count(),
  total_agents: count(),
  total_requests: count(),
})

const PART = '[^\\s"@<>()\\[\\]/:;,=]+'
/**
 * A local part, which may be quoted, and a host around @, %40, (at) or [at]; with spaces around the @ the host has a
 * dot. `https://social.example/@name` holds none.
 */
const EMAIL = `(?:"[^"]{1,64}"|${PART})(?:(?:@|%40| ?[(\\[]at[)\\]] ?)${PART}| ?@ ?${PART}\\.${PART})`
const MAX_CHARACTERS = 512

/** The agent as it may be published: e-mail addresses are masked, control and direction characters replaced. */
const masked = sql`
  replaceRegexpAll(replaceRegexpAll(user_agent, ${text(`(?i)${EMAIL}`)}, '[e-mail]'), '[\\\\p{Cc}\\\\p{Cf}]', '·')`

/**
 * Requests of automated agents without a label of the registry version, most requests first: advertising crawlers have
 * a label and are not among them. Agents that are equal once they are masked are one.
 */
export const unregisteredAgents = (scope: CrawlerScope, limit: number) => rows(AgentCount)`
  WITH ${countedOutcomes(scope)},
  -- Requests of agents that the registry does not know.
  unlabelled AS (
    SELECT agent_key, sum(requests) AS requests, min(first_at) AS first_at, max(last_at) AS last_at
    FROM counted
    WHERE agent_key NOT IN (
      SELECT agent_key
      FROM spoor.agent_labels
      WHERE registry_version = ${text(scope.registry_version as string)}
    )
    GROUP BY agent_key
  ),
  -- These agents by name.
  named AS (
    SELECT user_agent, proof, requests, first_at, last_at
    FROM spoor.agents AS agents FINAL
    INNER JOIN unlabelled USING (agent_key)
  )
  SELECT
    substringUTF8(${masked}, 1, ${uint(MAX_CHARACTERS)}) AS agent,
    any(user_agent) AS example,
    toBool(max(position(proof, '"provider"') > 0 OR position(proof, '"signature"') > 0)) AS has_verdict,
    sum(requests) AS requests,
    toUInt64(toUnixTimestamp64Milli(min(named.first_at))) AS first_at,
    toUInt64(toUnixTimestamp64Milli(max(named.last_at))) AS last_at,
    count() OVER () AS total_agents,
    sum(sum(named.requests)) OVER () AS total_requests
  FROM named
  GROUP BY agent
  ORDER BY requests DESC, agent
  LIMIT ${uint(limit)}`

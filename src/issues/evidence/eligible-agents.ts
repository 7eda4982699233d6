import type { CrawlerContext } from '#crawlers/context.ts'
import type { Fragment } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { type EligibilityInput, eligibleAgents, eligibleFromRows, eligibleFromTables } from './eligible-agents.sql.ts'

/** If there are more agents, each statement finds them itself. */
const MAX_LISTED = 2_000
const BYTES_AN_AGENT = 200

/** A text that changes whenever an agent or a label is written; null on servers, where other processes write too. */
export function versionOfAgents(evidence: EvidenceStore): string | null {
  const versions = [evidence.versionOf('agents'), evidence.versionOf('agent_labels')]
  return versions.includes(null) ? null : versions.join(' ')
}

/**
 * The part `eligible` of the statements of one detection. If only this process writes agents and labels, the agents are
 * read once and cached until it writes others, because detection runs for every site with new evidence.
 */
export async function findEligible(
  { evidence, derived: { answers } }: Pick<CrawlerContext, 'evidence' | 'derived'>,
  input: EligibilityInput,
): Promise<Fragment> {
  const version = versionOfAgents(evidence)
  if (version === null) return eligibleFromTables(input)
  const agents = await answers.getOrRead(
    JSON.stringify(['eligible agents', input.scope.registry_version, input.published]),
    {
      version,
      read: () => evidence.all(eligibleAgents(input, MAX_LISTED + 1)),
      bytesOf: (found) => (found.length + 1) * BYTES_AN_AGENT,
      isStillValid: async () => versionOfAgents(evidence) === version,
    },
  )
  return agents.length > MAX_LISTED ? eligibleFromTables(input) : eligibleFromRows(agents)
}

import type { CrawlerContext } from '#crawlers/context.ts'
import type { Fragment } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { type BelievedBy, believedAgents, believedOfRows, believedOfTables } from './believed-agents.sql.ts'

/** More agents are joined by each statement. */
const MAX_LISTED = 2_000
const BYTES_AN_AGENT = 200

/** Another text once an agent or a label was written; null where that is not known. */
export function versionOfAgents(evidence: EvidenceStore): string | null {
  const versions = [evidence.versionOf('agents'), evidence.versionOf('agent_labels')]
  return versions.includes(null) ? null : versions.join(' ')
}

/**
 * The part `believed` of the statements of one detection. Where only this process writes agents and their labels, they
 * are read once until it writes others: detection runs for every site that something comes to.
 */
export async function findBelieved(
  { evidence, derived: { answers } }: Pick<CrawlerContext, 'evidence' | 'derived'>,
  of: BelievedBy,
): Promise<Fragment> {
  const version = versionOfAgents(evidence)
  if (version === null) return believedOfTables(of)
  const agents = await answers.recall(JSON.stringify(['believed', of.scope.registry_version, of.published]), {
    version,
    read: () => evidence.all(believedAgents(of, MAX_LISTED + 1)),
    bytesOf: (found) => (found.length + 1) * BYTES_AN_AGENT,
    isStillSo: async () => versionOfAgents(evidence) === version,
  })
  return agents.length > MAX_LISTED ? believedOfTables(of) : believedOfRows(agents)
}

/** The stored names of a site that reading a batch depends on. */
import Type from 'typebox'
import { day, rows, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'

const Key = Type.Object({ agent_key: Type.String() })

const agentsOfDay = (siteId: string, text: string) => rows(Key)`
  SELECT DISTINCT toString(agent_key) AS agent_key FROM spoor.requests
  WHERE site_id = ${uuid(siteId)} AND day = ${day(text)}
  ORDER BY agent_key LIMIT 10000`

/** Keys of the agents of a day, `YYYY-MM-DD`, up to the limit of a day. */
export async function readAgentsOfDay(evidence: EvidenceStore, siteId: string, text: string): Promise<string[]> {
  const stored = await evidence.all(agentsOfDay(siteId, text), { is_urgent: true })
  return stored.map((row) => row.agent_key)
}

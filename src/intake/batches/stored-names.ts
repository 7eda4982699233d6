/** The stored names of a site that reading a batch depends on. */
import Type from 'typebox'
import { day, rows, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'

const Key = Type.Object({ agent_key: Type.String() })

const agentsOfDay = (site_id: string, date: string) => rows(Key)`
  SELECT DISTINCT toString(agent_key) AS agent_key FROM spoor.requests
  WHERE site_id = ${uuid(site_id)} AND day = ${day(date)}
  ORDER BY agent_key LIMIT 10000`

/** Keys of the agents of a day, `YYYY-MM-DD`, up to the limit of a day. */
export async function readAgentsOfDay(evidence: EvidenceStore, site_id: string, date: string): Promise<string[]> {
  const stored = await evidence.all(agentsOfDay(site_id, date), { is_urgent: true })
  return stored.map((row) => row.agent_key)
}

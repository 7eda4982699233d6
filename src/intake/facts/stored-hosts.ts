import Type from 'typebox'
import { rows, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'

const Host = Type.Object({ host: Type.String() })

const storedHosts = (siteId: string) => rows(Host)`
  SELECT DISTINCT toString(host) AS host FROM spoor.pages WHERE site_id = ${uuid(siteId)} ORDER BY host`

/** The stored hosts of a site. */
export async function readHosts(evidence: EvidenceStore, siteId: string): Promise<string[]> {
  const hosts = await evidence.all(storedHosts(siteId), { is_urgent: true })
  return hosts.map((row) => row.host)
}

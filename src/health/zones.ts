import type { ControlStore } from '#control/store.ts'
import { nameSome } from '#quantities.ts'
import { type Finding, finding } from './findings.ts'

/** Zones whose polls fail, with the code of the last failure, and those whose token Cloudflare refuses. */
export async function checkZones(control: ControlStore): Promise<Finding[]> {
  const zones = await control.db
    .selectFrom('zones')
    .innerJoin('sources', 'sources.id', 'zones.source_id')
    .select(['zones.zone_name', 'zones.error_code', 'sources.connection_status'])
    .where('sources.connection_status', 'in', ['error', 'revoked'])
    .orderBy('zones.zone_name')
    .execute()
  const failing = zones.filter((zone) => zone.connection_status === 'error')
  const revoked = zones.filter((zone) => zone.connection_status === 'revoked')
  const named = failing.map(({ zone_name, error_code }) => `${zone_name} (${error_code})`)
  return [
    ...(named.length === 0 ? [] : [finding('zone_failing', `${nameSome(named)}.`)]),
    ...(revoked.length === 0 ? [] : [finding('zone_revoked', `${nameSome(revoked.map((zone) => zone.zone_name))}.`)]),
  ]
}

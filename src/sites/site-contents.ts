/** What belongs to a site, counted before it is deleted (decisions 7.6). */
import type { ControlDb, ControlStore } from '#control/store.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { Site } from './site.ts'
import { storedEvidence } from './site-contents.sql.ts'

const TABLES = {
  sources: 'sources',
  members: 'members',
  conversions: 'conversions',
  funnels: 'funnels',
  properties: 'properties',
  issues: 'issues',
  alert_receivers: 'alert_receivers',
  brands: 'brands',
} as const
type Counted = Record<keyof typeof TABLES, number>

/** How much is stored of a site, for a person who is about to delete it. */
export async function readSiteContents({
  control,
  evidence,
  site: { id, root_domain },
}: {
  control: ControlStore
  evidence: EvidenceStore
  site: Site
}) {
  const stored = await evidence.all(storedEvidence(id))
  const counted = await control.snapshot((trx) => countRows(trx, id))
  // The statement has a row of each kind that is stored: without one none is.
  const storedOf = (kind: string) => stored.filter((row) => row.kind === kind).reduce((sum, row) => sum + row.stored, 0)
  const days = stored.flatMap(({ first_day, last_day }) => [first_day, last_day]).sort()
  return {
    id,
    root_domain,
    requests: storedOf('requests'),
    events: storedOf('events'),
    first_day: days[0] ?? null,
    last_day: days.at(-1) ?? null,
    ...counted,
  }
}

async function countRows(db: ControlDb, site_id: string): Promise<Counted> {
  const counted: [string, number][] = []
  for (const [name, table] of Object.entries(TABLES)) {
    const { found } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as('found'))
      .where('site_id', '=', site_id)
      .executeTakeFirstOrThrow()
    counted.push([name, Number(found)])
  }
  return Object.fromEntries(counted) as Counted
}

import { randomUUID } from 'node:crypto'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import type { ControlStore } from '#control/store.ts'
import type { SourceRow } from '#control/tables.ts'
import { addSite } from '#sites/sites.ts'
import { fakeClock } from '../../support/clock.ts'

/** A source as the tests need it: live, primary and exact by default. */
export function testSource(changes: Partial<SourceRow> = {}): SourceRow {
  return {
    id: randomUUID(),
    site_id: 'site',
    source_type: 'log_upload',
    name: '',
    connection_status: 'live',
    is_primary: 1,
    created_at: 0,
    connected_at: Date.parse('2026-01-01T00:00:00Z'),
    data_through: null,
    has_statuses: 1,
    moved_to: null,
    vantage: null,
    ...changes,
  }
}

/** Stores a source; of a site of its own when none is named. */
export async function addTestSource(control: ControlStore, changes: Partial<SourceRow> = {}): Promise<SourceRow> {
  const source = testSource({ ...changes, site_id: changes.site_id ?? (await makeSite(control)) })
  await control.db.insertInto('sources').values(source).execute()
  return source
}

async function makeSite(control: ControlStore): Promise<string> {
  const clock = fakeClock('2026-01-01T00:00:00Z')
  const operator = await ensureInstallation(control, clock)
  const site = await addSite({ control, clock }, { ...operator, domain: 'example.com' })
  return site.id
}

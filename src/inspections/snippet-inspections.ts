/** Inspections of kind `snippet`: only the newest one of each site is stored (rules 6.6, 8.3). */
import { randomUUID } from 'node:crypto'
import type { ControlDb } from '#control/store.ts'
import type { SnippetResult } from './inspection.ts'

export interface SnippetInspection extends SnippetResult {
  site_id: string
  /** Epoch milliseconds. */
  inspected_at: number
}

/** Replaces the previous one. Call it in a transaction. */
export async function recordSnippetInspection(
  db: ControlDb,
  { site_id, host, outcome, inspected_at }: SnippetInspection & { host: string },
): Promise<void> {
  const id = randomUUID()
  await db.deleteFrom('inspections').where('site_id', '=', site_id).where('kind', '=', 'snippet').execute()
  await db
    .insertInto('inspections')
    .values({
      id,
      site_id,
      host,
      round_id: id,
      kind: 'snippet',
      reason: 'snippet',
      path: '/',
      weight: 1,
      state: 'done',
      crawler_id: null,
      issue_id: null,
      obstacle: null,
      scheme: null,
      is_clean: null,
      reproduced: null,
      queued_at: inspected_at,
      due_at: inspected_at,
      started_at: inspected_at,
      ended_at: inspected_at,
      result: JSON.stringify({ outcome } satisfies SnippetResult),
    })
    .execute()
}

/** The newest inspection of each site, or of one site, by site id. */
export async function findSnippetInspections(db: ControlDb, site_id?: string): Promise<Map<string, SnippetInspection>> {
  const found = db.selectFrom('inspections').select(['site_id', 'queued_at', 'result']).where('kind', '=', 'snippet')
  const rows = await (site_id === undefined ? found : found.where('site_id', '=', site_id)).execute()
  return new Map(
    rows.map((row) => {
      const { outcome } = JSON.parse(row.result as string) as SnippetResult
      return [row.site_id, { site_id: row.site_id, inspected_at: row.queued_at, outcome }]
    }),
  )
}

/** The queue of inspections in the control store (rules 8.3). */
import { randomUUID } from 'node:crypto'
import type { ControlDb } from '#control/store.ts'
import type { InspectionRow } from '#control/tables.ts'
import { PATH_LIMIT, REDACTED } from '#paths/path-v1.ts'
import type { InspectionInput, InspectionResult } from './inspection.ts'

const ROWS_AT_ONCE = 200

/**
 * Adds inspections to the queue and returns their rows. A path that was redacted or shortened is `not_possible` at
 * once, because it names no page. To run them soon, request the job `inspect_pages` after the transaction.
 */
export async function queueInspections(
  db: ControlDb,
  inputs: readonly InspectionInput[],
  now: number,
): Promise<InspectionRow[]> {
  const rows = inputs.map((input) => rowOf(input, now))
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await db
      .insertInto('inspections')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute()
  }
  return rows
}

/** The result of an inspection of kind `page`; null until it is done. */
export function resultOf({ kind, result }: Pick<InspectionRow, 'kind' | 'result'>): InspectionResult | null {
  return kind === 'page' && result !== null ? (JSON.parse(result) as InspectionResult) : null
}

/** Whether a stored path names a page that can be requested: path/v1 replaces secrets and cuts long paths. */
export function isFetchablePath(path: string): boolean {
  return path.startsWith('/') && !path.includes(REDACTED) && path.length < PATH_LIMIT - 1
}

function rowOf(input: InspectionInput, now: number): InspectionRow {
  const { site_id, host, path, crawler_id, reason, issue_id } = input
  const is_possible = isFetchablePath(path)
  return {
    id: randomUUID(),
    site_id,
    host,
    path,
    crawler_id,
    reason,
    issue_id,
    kind: input.kind ?? 'page',
    round_id: input.round_id ?? randomUUID(),
    weight: input.weight ?? 1,
    state: is_possible ? 'queued' : 'not_made',
    obstacle: is_possible ? null : 'not_possible',
    queued_at: now,
    due_at: input.due_at ?? now,
    started_at: null,
    ended_at: null,
    scheme: null,
    is_clean: null,
    reproduced: null,
    result: null,
  }
}

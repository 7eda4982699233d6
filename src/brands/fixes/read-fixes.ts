import { instantOrNull, instantText } from '#clock.ts'
import type { Fix } from '#contract/account-api/index.ts'
import type { ControlDb } from '#control/store.ts'
import type { FixRow } from '#control/tables.ts'

export interface FixFilter {
  kind: FixRow['kind'] | null
  status: FixRow['status'] | 'all'
}

/** A piece of the list, newest first, and how many fixes the filter leaves. */
export async function readFixes(
  db: ControlDb,
  brand_id: string,
  { filter, limit, offset }: { filter: FixFilter; limit: number; offset: number },
): Promise<{ fixes: FixRow[]; total: number }> {
  const matching = () => {
    let query = db.selectFrom('fixes').where('brand_id', '=', brand_id)
    if (filter.kind !== null) query = query.where('kind', '=', filter.kind)
    if (filter.status !== 'all') query = query.where('status', '=', filter.status)
    return query
  }
  const { total } = await matching()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const fixes = await matching()
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { fixes, total: Number(total) }
}

/** A fix as answers show it (account API 2.1). */
export function describeFix(row: FixRow): Fix {
  return {
    id: row.id,
    brand_id: row.brand_id,
    kind: row.kind,
    title: row.title,
    description: row.description,
    evidence_refs: JSON.parse(row.evidence_refs),
    fix_prompt: row.fix_prompt,
    status: row.status,
    version: row.version,
    created_at: instantText(row.created_at),
    updated_at: instantText(row.updated_at),
    accepted_at: instantOrNull(row.accepted_at),
    completed_at: instantOrNull(row.completed_at),
    dismissed_at: instantOrNull(row.dismissed_at),
    dismissed_reason: row.dismissed_reason,
    verification: {
      state: row.verification,
      checked_at: instantOrNull(row.checked_at),
      before: row.ratio_before === null ? null : JSON.parse(row.ratio_before),
      after: row.ratio_after === null ? null : JSON.parse(row.ratio_after),
      reason: row.verification_reason as Fix['verification']['reason'],
    },
    replaces: row.replaces,
  }
}

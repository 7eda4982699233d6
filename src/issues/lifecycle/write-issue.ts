import type { ControlTransaction } from '#control/store.ts'
import type { IssueRow } from '#control/tables.ts'
import { type IssueLife, isListed } from './lifecycle.ts'

/** Writes an issue unless another process has written it since it was read; returns whether it did. */
export async function writeIssue(
  tx: ControlTransaction,
  { id, revision }: Pick<IssueRow, 'id' | 'revision'>,
  columns: Partial<IssueRow>,
): Promise<boolean> {
  const written = await tx
    .updateTable('issues')
    .set({ ...columns, revision: revision + 1 })
    .where((is) => is.and({ id, revision }))
    .executeTakeFirst()
  return written.numUpdatedRows === 1n
}

/** The columns of an issue that its lifecycle reads and changes. */
export const lifeOf = (issue: IssueRow): IssueLife => ({
  state: issue.state,
  opened_at: issue.opened_at,
  last_harm_at: issue.last_harm_at,
  baseline: issue.baseline,
  clean_since: issue.clean_since,
  fix_detected_at: issue.fix_detected_at,
  fix_confirmed_at: issue.fix_confirmed_at,
})

/** Columns of an issue that has ended: its unit becomes free for a new issue. */
export const endColumns = ({ state }: IssueLife, now: number): Partial<IssueRow> =>
  isListed(state) ? {} : { unit: null, ended_at: now }

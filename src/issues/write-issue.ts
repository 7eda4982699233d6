import type { ControlTransaction } from '#control/store.ts'
import type { IssueRow } from '#control/tables.ts'

/** Writes an issue unless somebody has written it since it was read; returns whether it did. */
export async function writeIssue(
  tx: ControlTransaction,
  { id, revision }: Pick<IssueRow, 'id' | 'revision'>,
  columns: Partial<IssueRow>,
): Promise<boolean> {
  const written = await tx
    .updateTable('issues')
    .set({ ...columns, revision: revision + 1 })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return written.numUpdatedRows === 1n
}

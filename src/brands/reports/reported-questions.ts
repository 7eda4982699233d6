import type { ControlDb } from '#control/store.ts'
import type { ReportedQuestion } from './report-rows.ts'

/** All questions of a brand by id, archived ones too. */
export async function readReportedQuestions(db: ControlDb, brand_id: string): Promise<Map<string, ReportedQuestion>> {
  const rows = await db
    .selectFrom('questions')
    .select(['id', 'text', 'country', 'is_branded', 'archived_at'])
    .where('brand_id', '=', brand_id)
    .execute()
  return new Map(
    rows.map(({ id, text, country, is_branded, archived_at }) => [
      id,
      { id, text, country, is_branded: is_branded === 1, is_archived: archived_at !== null },
    ]),
  )
}

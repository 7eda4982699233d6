import type { SourceRow } from '#control/tables.ts'

type SourceInput = Pick<SourceRow, 'id' | 'site_id' | 'source_type' | 'name' | 'connection_status' | 'created_at'>

/** The row of a source that has delivered nothing yet and does not count (rules 3). */
export const newSource = (input: SourceInput): SourceRow => ({
  ...input,
  is_primary: 0,
  connected_at: null,
  data_through: null,
  has_statuses: 0,
  moved_to: null,
  vantage: null,
})

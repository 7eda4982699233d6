/** Fields of requests that a zone's plan refuses (decisions 3.7). */
import type { ControlStore } from '#control/store.ts'
import type { ZoneRow } from '#control/tables.ts'
import { whileStillPolled } from './zone-states.ts'

/** Records fields that the plan refuses; they are requested again with the next token (decisions 3.7). */
export async function noteRefusedFields(
  control: ControlStore,
  zone: ZoneRow,
  refused: readonly string[],
): Promise<void> {
  const refused_fields = JSON.stringify(refused)
  if (refused_fields === zone.refused_fields) return
  await whileStillPolled(control, zone, async (tx) => {
    await tx.updateTable('zones').set({ refused_fields }).where('source_id', '=', zone.source_id).execute()
  })
}

/** Retired readings of a zone: replaced ones, and those of an unfinished poll. Their facts are deleted later. */
import type { ControlTransaction } from '#control/store.ts'
import { utcDay } from '#days/utc-day.ts'
import { retire } from '#derived/builds.ts'
import type { Retirable } from '#derived/derivation.ts'
import { type Fragment, list, sql, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'

interface RetiredReading {
  site_id: string
  source_id: string
  reading: number
  /** Start of the hour, epoch milliseconds. */
  hour: number
  /** The delivery that writes its facts, or that replaced it. */
  delivery_id: string
  retired_at: number
}

/** Marks a reading as retired: it does not count, and its rows are deleted later. */
export function retireReading(tx: ControlTransaction, { source_id, reading, hour, ...row }: RetiredReading) {
  return retire(tx, [{ ...row, day: utcDay(hour), kind: 'zone_readings', part: source_id, build: reading }])
}

/** Ends the retirement of a reading, which counts from now on. */
export async function recallReading(tx: ControlTransaction, source_id: string, reading: number): Promise<void> {
  await tx
    .deleteFrom('retired_builds')
    .where((is) => is.and({ kind: 'zone_readings', part: source_id, build: reading }))
    .execute()
}

/** Deletes the rows of retired readings. */
export const zoneReadings = ({ evidence }: { evidence: EvidenceStore }): Retirable => ({
  kind: 'zone_readings',
  async deleteRows(retired) {
    for (const [site_id, rows] of Map.groupBy(retired, (row) => row.site_id)) {
      const days = [...new Set(rows.map(({ day }) => day))]
      const readings = rows.map(({ build }) => build)
      await evidence.run(deleteReadings(site_id, days, readings))
    }
  },
})

const deleteReadings = (site_id: string, days: readonly string[], readings: readonly number[]): Fragment => sql`
  DELETE FROM spoor.requests
  WHERE site_id = ${uuid(site_id)} AND day IN ${list('Date', days)} AND reading IN ${list('UInt64', readings)}`

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { instantText, MINUTE_MS, systemClock } from '#clock.ts'
import type { Patient } from './examine.ts'
import { type Finding, finding } from './findings.ts'

const TOLERANCE_MS = 5 * MINUTE_MS
const FILES = ['control.sqlite', 'control.sqlite-wal']

/** The service clock against the stored evidence, the machine's clock against its own files. */
export async function examineClock({ clock, control, folder }: Patient): Promise<Finding[]> {
  const now = clock.now()
  const machine = systemClock().now()
  const findings: Finding[] = []
  const apart = Math.abs(now - machine)
  if (apart > TOLERANCE_MS) {
    findings.push(
      finding('clock_moved', `The service clock reads ${instantText(now)}, the machine’s ${instantText(machine)}.`),
    )
  }
  const newest = await control.db
    .selectFrom('sources')
    .select((select) => select.fn.max<number | null>('data_through').as('at'))
    .executeTakeFirst()
  const evidence = newest?.at ?? null
  if (evidence !== null && Number(evidence) > now + TOLERANCE_MS) {
    findings.push(
      finding('clock_behind', `The newest evidence is of ${instantText(Number(evidence))}, after the service clock.`),
    )
  }
  const written = await Promise.all(FILES.map((name) => stat(join(folder, name)).catch(() => null)))
  const touched = Math.max(...written.map((file) => file?.mtimeMs ?? Number.NEGATIVE_INFINITY))
  if (touched > machine + TOLERANCE_MS) {
    findings.push(
      finding('clock_behind', `The stores were written at ${instantText(touched)}, after the machine’s clock.`),
    )
  }
  return findings.length > 0 ? findings : [finding('clock', `The service clock reads ${instantText(now)}.`)]
}

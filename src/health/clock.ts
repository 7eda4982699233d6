import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS, instantText, MINUTE_MS, systemClock } from '#clock.ts'
import { doubtedUntil, judgeClock, readClockMark } from '#retention/trusted-clock.ts'
import type { DiagnosticContext } from './check-health.ts'
import { type Finding, finding } from './findings.ts'

const TOLERANCE_MS = 5 * MINUTE_MS
const FILES = ['control.sqlite', 'control.sqlite-wal']

/** The service clock against the stored evidence, the machine's clock against its own files. */
export async function checkClock({ clock, control, folder }: DiagnosticContext): Promise<Finding[]> {
  const now = clock.now()
  const machine = systemClock().now()
  const findings: Finding[] = []
  const apart = Math.abs(now - machine)
  if (apart > TOLERANCE_MS) {
    findings.push(
      finding('clock_moved', `The service clock reads ${instantText(now)}, the machine’s ${instantText(machine)}.`),
    )
  }
  const evidence = await newestAhead(control, now)
  if (evidence !== null) {
    findings.push(
      finding('clock_behind', `The newest evidence is of ${instantText(evidence)}, after the service clock.`),
    )
  }
  const written = await Promise.all(FILES.map((name) => stat(join(folder, name)).catch(() => null)))
  const touched = Math.max(...written.map((file) => file?.mtimeMs ?? Number.NEGATIVE_INFINITY))
  if (touched > machine + TOLERANCE_MS) {
    findings.push(
      finding('clock_behind', `The stores were written at ${instantText(touched)}, after the machine’s clock.`),
    )
  }
  const jumped = await clockJump(control, now)
  if (jumped !== null) findings.push(finding('clock_jumped', jumped))
  return findings.length > 0 ? findings : [finding('clock', `The service clock reads ${instantText(now)}.`)]
}

/** Null: retention uses the clock, or will from its next run on. */
async function clockJump(control: DiagnosticContext['control'], now: number): Promise<string | null> {
  const known = await readClockMark(control.db)
  // Only what retention has doubted: a service that was stopped has not looked yet.
  if (known === null || known.doubt === null) return null
  const mark = judgeClock(known, now)
  const until = doubtedUntil(mark, now)
  if (mark.doubt === null || until === null) return null
  const jump = `The clock jumped from ${instantText(mark.trusted_at)} to ${instantText(mark.doubt.since)}`
  const held = `if the service keeps running, nothing is deleted by age before ${instantText(until)}`
  return `${jump}, and the service did not see the time in between; ${held}.`
}

/** The newest evidence after the clock; null for none. Lines of an upload may lie a day ahead (rules 3). */
async function newestAhead(control: DiagnosticContext['control'], now: number): Promise<number | null> {
  const sources = await control.db.selectFrom('sources').select(['source_type', 'data_through']).execute()
  const ahead = sources.flatMap(({ source_type, data_through }) => {
    const tolerated = source_type === 'log_upload' ? DAY_MS : TOLERANCE_MS
    return data_through !== null && data_through > now + tolerated ? [data_through] : []
  })
  return ahead.length === 0 ? null : Math.max(...ahead)
}

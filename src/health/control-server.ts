import { instantText, MINUTE_MS, systemClock } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import { type Finding, finding } from './findings.ts'

/** Older ones get no corrections from their makers any more. */
const OLDEST_MAJOR = 14
const TOLERANCE_MS = 5 * MINUTE_MS

/** The database server of the control store, if any: which it is, and whether its clock agrees with this machine's. */
export async function checkControlServer(control: ControlStore): Promise<Finding[]> {
  const server = await control.server()
  if (server === null) return []
  const { version, now } = server
  const machine = systemClock().now()
  const findings: Finding[] = []
  if (!(Number.parseInt(version, 10) >= OLDEST_MAJOR)) {
    findings.push(finding('control_server_old', `PostgreSQL ${version} keeps the control store.`))
  }
  if (Math.abs(now - machine) > TOLERANCE_MS) {
    const clocks = `The server's clock reads ${instantText(now)}, this machine's ${instantText(machine)}.`
    findings.push(finding('control_server_clock', clocks))
  }
  return findings.length > 0 ? findings : [finding('control_server', `PostgreSQL ${version} keeps the control store.`)]
}

/**
 * What changes the advice on a finding: the usual advice does not help under a simulated clock or on a machine without
 * internet.
 */
import type { ControlStore } from '#control/store.ts'
import type { Circumstance, Finding } from './findings.ts'

/** From how many published lists on, all of them failing, the machine and not a vendor is the likely reason. */
const MIN_LISTS = 3

interface Machine {
  control: ControlStore
  is_clock_simulated: boolean
}

/** The findings with the circumstance that they were made in. */
export async function addCircumstance(findings: readonly Finding[], machine: Machine): Promise<Finding[]> {
  const circumstance = await readCircumstance(machine)
  return circumstance === null ? [...findings] : findings.map((found) => ({ ...found, circumstance }))
}

async function readCircumstance({ control, is_clock_simulated }: Machine): Promise<Circumstance | null> {
  if (is_clock_simulated) return 'simulated_clock'
  // A failing control store is another finding.
  const loads = await control.db
    .selectFrom('ip_list_loads')
    .select('failure')
    .execute()
    .catch(() => [])
  return loads.length >= MIN_LISTS && loads.every(({ failure }) => failure !== null) ? 'offline' : null
}

/** The nodes of an installation on servers: silent ones, and those whose clock is wrong (decisions 8.2). */
import { DAY_MS, instantText } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import type { NodeRow } from '#control/tables.ts'
import { isTooFarOff } from '#nodes/shared-clock.ts'
import { isNodeSilent } from '#nodes/silent-nodes.ts'
import { type Finding, finding } from './findings.ts'

/** On a node that is gone nothing waits: it is named for so long after its last sign of life. */
const GONE_MS = DAY_MS

/** Empty where no node was ever registered: embedded evidence has one service. */
export async function checkNodes({ control, clock }: ControlContext): Promise<Finding[]> {
  const nodes = await control.db.selectFrom('nodes').selectAll().orderBy('number').execute()
  if (nodes.length === 0) return []
  const now = clock.shared()
  const silent = nodes.filter((node) => fellSilent(node, now))
  const wrong = nodes.filter(({ state, clock_ahead_ms }) => state === 'up' && isTooFarOff(clock_ahead_ms))
  const findings = [
    ...silent.map((node) => finding('node_silent', describeSilent(node))),
    ...wrong.map((node) => finding('node_clock', describeClock(node))),
  ]
  if (findings.length > 0) return findings
  const up = nodes.filter(({ state }) => state === 'up').map(({ name }) => name)
  return [finding('nodes', up.length === 0 ? 'No node runs now.' : `These nodes report: ${up.join(', ')}.`)]
}

/** Whether it stopped reporting without ending in order, and no operator has given it up. */
function fellSilent(node: NodeRow, now: number): boolean {
  if (node.state === 'gone') return now - node.seen_at <= GONE_MS
  return node.state === 'away' || node.state === 'draining' || isNodeSilent(node, now)
}

function describeSilent({ name, state, seen_at, readable_through }: NodeRow): string {
  const silent = `The node ${name} gave its last sign of life at ${instantText(seen_at)}`
  if (state === 'gone') return `${silent}; nothing waits on it.`
  if (state === 'draining') return `${silent}; another node stores the events that it left.`
  return `${silent}; answers about visitors end at ${instantText(readable_through)}.`
}

function describeClock({ name, clock_ahead_ms }: NodeRow): string {
  const where = clock_ahead_ms > 0 ? 'ahead of' : 'behind'
  return `The clock of the node ${name} is ${Math.abs(clock_ahead_ms)} ms ${where} the database's.`
}

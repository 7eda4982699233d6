/**
 * Whether the assumed field of a combined line is certainly its user agent. A line whose order of fields is uncertain
 * must not be read: a crawler's request would count as a human one.
 */
import { type FieldKind, kindOf } from './field-kinds.ts'

/**
 * Whether `agent` is the user agent and `referer` the field before it. `others` returns the other quoted fields of the
 * line, except the request; it is called only if referer and agent do not decide.
 */
export function isCertainAgent(referer: string, agent: string, others: () => readonly string[]): boolean {
  const kind = kindOf(agent)
  if (!MAY_BE_AGENT.has(kind)) return false
  const before = kindOf(referer)
  if (before === 'empty' || before === 'url') {
    // No other header begins like this.
    if (agent.startsWith('Mozilla/')) return true
    const otherKinds = others().map(kindOf)
    // If the agent names a product, only another field that does makes it uncertain; if it is empty, every unclear
    // field does.
    return otherKinds.every(
      (one) => one !== 'agent' && one !== 'request' && (kind === 'agent' || BESIDE_UNCLEAR.has(one)),
    )
  }
  // The field before is a referer without a scheme, or the host, and the agent names no product.
  if (kind === 'text') return before === 'host' && others().length === 0
  if (kind !== 'agent' || before === 'agent' || before === 'request') return false
  return !others().some((field) => NEVER_TWICE.has(kindOf(field)))
}

const MAY_BE_AGENT: ReadonlySet<FieldKind> = new Set(['empty', 'agent', 'text'])
const BESIDE_UNCLEAR: ReadonlySet<FieldKind> = new Set(['empty', 'address', 'host', 'number', 'technical'])
const NEVER_TWICE: ReadonlySet<FieldKind> = new Set(['agent', 'request'])

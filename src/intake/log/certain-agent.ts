/**
 * Whether the user agent of a combined line stands where its layout is taken to have it. A line whose order of fields
 * is uncertain must not be read: a crawler's request would count as a human one, and hide crawlers.
 */
import { type FieldKind, kindOf } from './field-kinds.ts'

/**
 * Whether `agent` is the user agent and `referer` the field before it. `others` are the line's remaining quoted fields,
 * the request left out; they are asked for only where referer and agent do not decide by themselves.
 */
export function isCertainAgent(referer: string, agent: string, others: () => readonly string[]): boolean {
  const kind = kindOf(agent)
  if (!MAY_BE_AGENT.has(kind)) return false
  const before = kindOf(referer)
  if (before === 'empty' || before === 'url') {
    // No header but this one begins so.
    if (agent.startsWith('Mozilla/')) return true
    const rest = others().map(kindOf)
    // Beside a field that names a product only another such field is a doubt; beside an empty one every unclear field
    // is.
    return rest.every((one) => one !== 'agent' && one !== 'request' && (kind === 'agent' || BESIDE_UNCLEAR.has(one)))
  }
  // A referer without its scheme, or the host, right before an agent that names no product.
  if (kind === 'text') return before === 'host' && others().length === 0
  if (kind !== 'agent' || before === 'agent' || before === 'request') return false
  return !others().some((field) => NEVER_TWICE.has(kindOf(field)))
}

const MAY_BE_AGENT: ReadonlySet<FieldKind> = new Set(['empty', 'agent', 'text'])
const BESIDE_UNCLEAR: ReadonlySet<FieldKind> = new Set(['empty', 'address', 'host', 'number', 'technical'])
const NEVER_TWICE: ReadonlySet<FieldKind> = new Set(['agent', 'request'])

/** Caches values that repeat from line to line (user agents, hosts) in bounded memory. */
import { normalizeHost } from '#sites/root-domain.ts'
import { isCertainAgent } from './certain-agent.ts'
import { decodeText, unescapeField } from './decode.ts'

/** A user agent field, with what its content shows. */
export interface AgentField {
  /** Decoded text; empty for `-` and an empty field. */
  text: string
  /** After an empty referer or a URL, and without a quoted field after it, it is certainly the user agent. */
  is_alone: boolean
  /** It is certainly the user agent even with quoted fields after it. */
  is_certain: boolean
}

/** The user agent field at text[start, end) as logged. Equal fields give the same object. */
export function agentField(text: string, start: number, end: number): AgentField {
  return agents.of(text.slice(start, end))
}

/** The user agent at text[start, end); empty for `-` and an empty field. Equal fields give the same string object. */
export function agentText(text: string, start: number, end: number): string {
  return agentField(text, start, end).text
}

/** Normalised host of a host field as logged, or null (rules 4). */
export function hostText(field: string): string | null {
  return hosts.of(field)
}

/** The decoded text of an unquoted user agent; empty for `-` and an empty field. */
export function plainAgent(binary: string): string {
  return binary === '-' ? '' : decodeText(binary.slice(0, 4 * MAX_AGENT_LENGTH)).slice(0, MAX_AGENT_LENGTH)
}

class FieldCache<Value> {
  readonly #known = new Map<string, Value>()
  readonly #read: (field: string) => Value
  constructor(read: (field: string) => Value) {
    this.#read = read
  }

  of(field: string): Value {
    const known = this.#known.get(field)
    if (known !== undefined) return known
    const value = this.#read(field)
    if (field.length > MAX_FIELD_LENGTH) return value
    if (this.#known.size >= MAX_FIELDS) this.#known.clear()
    // The key is a copy, because a slice would hold the memory of the whole line.
    this.#known.set(Buffer.from(field, 'latin1').toString('latin1'), value)
    return value
  }
}

const MAX_FIELD_LENGTH = 1024
const MAX_FIELDS = 16_384

/** Every documented agent is shorter; a longer one is an attempt to fill the store. */
const MAX_AGENT_LENGTH = 1024

const agents = new FieldCache((field) => ({
  text: plainAgent(unescapeField(field.slice(0, 4 * MAX_AGENT_LENGTH))),
  is_alone: isCertainAgent('-', field, () => []),
  is_certain: field.startsWith('Mozilla/'),
}))
/** No host is longer, and the time of converting letters to punycode grows with the square of their number. */
const MAX_HOST_LENGTH = 1_024
const hosts = new FieldCache((field) => (field.length > MAX_HOST_LENGTH ? null : normalizeHost(decodeText(field))))

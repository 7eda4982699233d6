/** Values that repeat from line to line (user agents, hosts), computed once and kept in bounded memory. */
import { normalizeHost } from '#sites/root-domain.ts'
import { isCertainAgent } from './certain-agent.ts'
import { decodeText, unescapeField } from './decode.ts'

/** What is known of a user agent field by its content. */
export interface AgentField {
  /** Real text; empty for `-` and nothing. */
  text: string
  /** It is certain to be the user agent after an empty referer or a URL, where no quoted field follows. */
  is_alone: boolean
  /** The same, whatever follows. */
  is_certain: boolean
}

/** The user agent field at text[start, end) as logged. The same field gives the same object. */
export function agentField(text: string, start: number, end: number): AgentField {
  return agents.of(text.slice(start, end))
}

/** The user agent at text[start, end); empty for `-` and nothing. Equal fields give the same string object. */
export function agentText(text: string, start: number, end: number): string {
  return agentField(text, start, end).text
}

/** Normalised host of a host field as logged, or null (rules 4). */
export function hostText(field: string): string | null {
  return hosts.of(field)
}

/** Real text of a user agent without a log's quoting; empty for `-` and nothing. */
export function plainAgent(binary: string): string {
  return binary === '-' ? '' : decodeText(binary.slice(0, 4 * MAX_AGENT_LENGTH)).slice(0, MAX_AGENT_LENGTH)
}

class Remembered<Value> {
  readonly #known = new Map<string, Value>()
  readonly #read: (field: string) => Value
  constructor(read: (field: string) => Value) {
    this.#read = read
  }

  of(field: string): Value {
    const known = this.#known.get(field)
    if (known !== undefined) return known
    const value = this.#read(field)
    if (field.length > LONGEST) return value
    if (this.#known.size >= MOST) this.#known.clear()
    // The key is a copy: a slice would keep the whole line it was cut from alive.
    this.#known.set(Buffer.from(field, 'latin1').toString('latin1'), value)
    return value
  }
}

const LONGEST = 1024
const MOST = 16_384

/** Enough for every documented agent; a longer one is an attempt to fill the store. */
const MAX_AGENT_LENGTH = 1024

const agents = new Remembered((field) => ({
  text: plainAgent(unescapeField(field.slice(0, 4 * MAX_AGENT_LENGTH))),
  is_alone: isCertainAgent('-', field, () => []),
  is_certain: field.startsWith('Mozilla/'),
}))
/** No host is longer, and turning letters into punycode takes time that grows with the square of their number. */
const MAX_HOST_LENGTH = 1_024
const hosts = new Remembered((field) => (field.length > MAX_HOST_LENGTH ? null : normalizeHost(decodeText(field))))

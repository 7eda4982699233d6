/** Counts the human lines of a block: a second thread can do it before the first reads the rest. */
import { MINUTE_MS } from '#clock.ts'
import { HumanLineScanner } from './scan-human-lines.ts'

interface HostLines {
  host: string | null
  human: number
  without_agent: number
  has_statuses: boolean
}

/** What a block of whole lines holds of human requests; everything else is still to be read, in its order. */
export interface PrefilteredLines {
  /** All lines, human and other. */
  lines: number
  human: number
  /** First and last instant of a human line, epoch milliseconds. */
  from: number
  to: number
  /** Epoch minutes of human lines; may repeat. */
  minutes: Int32Array<ArrayBuffer>
  /** Some human line has a user agent that is not empty. */
  has_agents: boolean
  /** Human lines by host field; null where the line has none. */
  hosts: HostLines[]
  /** Index of the last human line, -1 without one, and whether fields follow its agent. */
  last_human: number
  last_has_tail: boolean
  /** The rest, two numbers a line: its index, and its offset in the block. */
  rest: Int32Array<ArrayBuffer>
}

export class HumanLinePrefilter {
  readonly #scanner: HumanLineScanner
  readonly #latest: number

  /** Lines later than `latest` (epoch milliseconds) belong to the rest. */
  constructor(isHuman: (userAgent: string) => boolean, latest: number) {
    this.#scanner = new HumanLineScanner(isHuman)
    this.#latest = latest
  }

  /** Takes whole lines; the last one ends with a line end too. */
  prefilter(bytes: Buffer): PrefilteredLines {
    const scanner = this.#scanner
    scanner.load(bytes)
    const hosts = new Map<string | null, HostLines>()
    const minutes: number[] = []
    const rest: number[] = []
    let lines = 0
    let minute = -1
    let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    let has_agents = false
    let last_human = -1
    let last_has_tail = false
    let of_host: HostLines = { host: null, human: 0, without_agent: 0, has_statuses: false }
    hosts.set(null, of_host)
    for (let at = 0; at < bytes.length; lines += 1) {
      const after = scanner.scan(at)
      if (after < 0 || scanner.at > this.#latest) {
        rest.push(lines, at)
        at = bytes.indexOf(LF, at) + 1
        continue
      }
      at = after
      if (scanner.at < from) from = scanner.at
      if (scanner.at > to) to = scanner.at
      const minute_now = Math.floor(scanner.at / MINUTE_MS)
      if (minute_now !== minute) minutes.push(minute_now)
      minute = minute_now
      if (scanner.host !== of_host.host) of_host = entryOf(hosts, scanner.host)
      of_host.human += 1
      if (scanner.has_status) of_host.has_statuses = true
      if (scanner.has_agent) has_agents = true
      else of_host.without_agent += 1
      last_human = lines
      last_has_tail = scanner.has_tail
    }
    return {
      lines,
      human: lines - rest.length / 2,
      from,
      to,
      minutes: Int32Array.from(minutes),
      has_agents,
      hosts: [...hosts.values()].filter((one) => one.human > 0),
      last_human,
      last_has_tail,
      rest: Int32Array.from(rest),
    }
  }
}

const LF = 10

function entryOf(hosts: Map<string | null, HostLines>, host: string | null): HostLines {
  let entry = hosts.get(host)
  if (entry === undefined) {
    entry = { host, human: 0, without_agent: 0, has_statuses: false }
    hosts.set(host, entry)
  }
  return entry
}

/** The people of a block of lines, told and added up without the other lines: what a second thread can do before the first reads the rest. */
import { MINUTE_MS } from '#clock.ts'
import { PeopleScanner } from './scan-people.ts'

/** What a block of whole lines holds of people; everything else is still to be read, in its order. */
export interface Skimmed {
  /** All lines, those of people and the rest. */
  lines: number
  people: number
  /** First and last instant of people, epoch milliseconds. */
  from: number
  to: number
  /** Epoch minutes in which people came; may repeat. */
  minutes: Int32Array<ArrayBuffer>
  /** Some person has a user agent that is not empty. */
  has_agents: boolean
  /** People by host field; null where the line has none. */
  hosts: { host: string | null; people: number; without_agent: number; has_statuses: boolean }[]
  /** Index of the last line of a person, -1 without one, and whether fields follow its agent. */
  last_person: number
  last_has_tail: boolean
  /** The rest, two numbers a line: its index, and its offset in the block. */
  rest: Int32Array<ArrayBuffer>
}

export class PeopleSkimmer {
  readonly #people: PeopleScanner
  readonly #latest: number

  /** Later than `latest` (epoch milliseconds) nobody came: such lines belong to the rest. */
  constructor(isPerson: (userAgent: string) => boolean, latest: number) {
    this.#people = new PeopleScanner(isPerson)
    this.#latest = latest
  }

  /** Skims whole lines; the last one ends with a line end too. */
  skim(bytes: Buffer): Skimmed {
    const people = this.#people
    people.load(bytes)
    const hosts = new Map<string | null, Skimmed['hosts'][number]>()
    const minutes: number[] = []
    const rest: number[] = []
    let lines = 0
    let minute = -1
    let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    let has_agents = false
    let last_person = -1
    let last_has_tail = false
    let of_host: Skimmed['hosts'][number] = { host: null, people: 0, without_agent: 0, has_statuses: false }
    hosts.set(null, of_host)
    for (let at = 0; at < bytes.length; lines += 1) {
      const after = people.scan(at)
      if (after < 0 || people.at > this.#latest) {
        rest.push(lines, at)
        at = bytes.indexOf(LF, at) + 1
        continue
      }
      at = after
      if (people.at < from) from = people.at
      if (people.at > to) to = people.at
      const minute_now = Math.floor(people.at / MINUTE_MS)
      if (minute_now !== minute) minutes.push(minute_now)
      minute = minute_now
      if (people.host !== of_host.host) of_host = entryOf(hosts, people.host)
      of_host.people += 1
      if (people.has_status) of_host.has_statuses = true
      if (people.has_agent) has_agents = true
      else of_host.without_agent += 1
      last_person = lines
      last_has_tail = people.has_tail
    }
    return {
      lines,
      people: lines - rest.length / 2,
      from,
      to,
      minutes: Int32Array.from(minutes),
      has_agents,
      hosts: [...hosts.values()].filter((one) => one.people > 0),
      last_person,
      last_has_tail,
      rest: Int32Array.from(rest),
    }
  }
}

const LF = 10

function entryOf(hosts: Map<string | null, Skimmed['hosts'][number]>, host: string | null): Skimmed['hosts'][number] {
  let entry = hosts.get(host)
  if (entry === undefined) {
    entry = { host, people: 0, without_agent: 0, has_statuses: false }
    hosts.set(host, entry)
  }
  return entry
}

/** Counts the lines of a file by the classes of the receipt, and records the time that they cover (rules 3, 4). */
import { MinuteMap } from '#crawlers/coverage/covered-minutes-of-logs.ts'
import { countOf } from '#quantities.ts'
import { MAX_HOSTS, OTHER_HOSTS } from '../facts/host-limit.ts'
import { MALFORMED, type MalformedCode } from '../log/record.ts'
import { DoubleLog } from './double-log.ts'
import { maskedExcerpt } from './line-excerpt.ts'
import type { MalformedSample } from './receipt.ts'

const SAMPLES = 5
/** Hosts outside the site whose lines are counted by name. */
const MAX_FOREIGN_HOSTS = 1_000

export class FileCounts {
  lines = 0
  malformed = 0
  readonly samples: MalformedSample[] = []
  readonly reasons = new Map<MalformedCode, number>()
  other_site = 0
  human = 0
  /** Part of `human`: lines whose user agent is empty. */
  human_without_agent = 0
  server_internal = 0
  sub_request = 0
  own_inspection = 0
  kept = 0
  /** Part of `kept`: lines that name no host. */
  without_host = 0
  has_statuses = false
  /** Some line is in a format of a CDN. */
  sees_edge = false
  /** Some times have no zone, so that an import with another zone gives other instants. */
  has_local_times = false
  /** Some line has a user agent; without any, no crawler can be recognized. */
  has_agents = false
  /** First and last instant of the readable lines, epoch milliseconds. */
  from = Number.POSITIVE_INFINITY
  to = Number.NEGATIVE_INFINITY
  readonly double_log = new DoubleLog()
  readonly minutes = new MinuteMap()
  /** Readable lines by host of the site. Beyond the limit on hosts, further hosts share a name. */
  readonly hosts = new Map<string, number>()
  /** Readable lines by host outside the site. Beyond the limit, further hosts are left out. */
  readonly foreign_hosts = new Map<string, number>()

  addMalformed(reason: MalformedCode, lineNumber: number, line: string): void {
    this.malformed++
    const before = this.reasons.get(reason)
    this.reasons.set(reason, before === undefined ? 1 : before + 1)
    if (this.samples.length >= SAMPLES) return
    this.samples.push({ line_number: lineNumber, reason, excerpt: maskedExcerpt(line) })
  }

  addTime(at: number): void {
    this.minutes.add(at)
    if (at < this.from) this.from = at
    if (at > this.to) this.to = at
  }

  addHost(host: string, lines = 1): void {
    const name = this.hosts.size < MAX_HOSTS || this.hosts.has(host) ? host : OTHER_HOSTS
    const before = this.hosts.get(name)
    this.hosts.set(name, before === undefined ? lines : before + lines)
  }

  addForeignHost(host: string, lines = 1): void {
    this.other_site += lines
    const before = this.foreign_hosts.get(host)
    if (before !== undefined) this.foreign_hosts.set(host, before + lines)
    else if (this.foreign_hosts.size < MAX_FOREIGN_HOSTS) this.foreign_hosts.set(host, lines)
  }

  /** Whether these hosts stay within the limits, whatever the hosts of `others` further lines. */
  takesHosts(own: readonly string[], foreign: number, others: number): boolean {
    const is_room = this.hosts.size + own.length + others <= MAX_HOSTS
    if (!is_room && !own.every((host) => this.hosts.has(host))) return false
    const known = this.foreign_hosts.size
    return foreign === 0 || known === MAX_FOREIGN_HOSTS || known + foreign + others <= MAX_FOREIGN_HOSTS
  }

  /** The reasons why lines could not be read, most frequent first, in words. */
  malformedReasons(): string {
    return [...this.reasons]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 3)
      .map(([reason, count]) => linesThat(count, MALFORMED[reason]))
      .join('; ')
  }
}

const PLURAL: Readonly<Record<string, string>> = {
  has: 'have',
  holds: 'hold',
  looks: 'look',
  comes: 'come',
  is: 'are',
  does: 'do',
}

/** `the line has no status` as `1 line has no status` and `2 lines have no status`. */
function linesThat(count: number, text: string): string {
  const [, verb = '', rest] = /^the line (\w+)( .*)$/.exec(text) ?? []
  const plural = PLURAL[verb]
  // A text that refers to the line again has no plural.
  if (plural === undefined || /\b(its?|the line)\b/.test(String(rest))) return `${countOf(count, 'line')}: ${text}`
  return `${countOf(count, 'line')} ${count === 1 ? verb : plural}${rest}`
}

/** A robots.txt as groups of rules (RFC 9309 2.2.1). */
import { decodeOctets } from './octets.ts'
import { compilePattern, type RobotsPattern } from './pattern.ts'
import { type RobotsRecord, readRobotsRecords } from './records.ts'

export interface RobotsRule {
  is_allowed: boolean
  pattern: RobotsPattern
  /** As written. */
  text: string
  line: number
}

export interface RobotsGroup {
  /**
   * The rule that decides first stands first: the longest, an allowing one before a forbidding one, the earlier line.
   */
  rules: RobotsRule[]
  /** Those of them with `*` or `$`, in the same order. */
  wild_rules: RobotsRule[]
  /**
   * The others by their pattern, of equal ones the first; `plain_lengths` are the lengths that they have, descending.
   */
  plain_rules: Map<string, RobotsRule>
  plain_lengths: number[]
  /** Other records of the group, such as `content-signal`. */
  others: RobotsRecord[]
}

/** A group under the name by which a crawler finds it. */
export interface NamedGroup {
  /** As written, `*` included. */
  name: string
  group: RobotsGroup
}

export interface RobotsFile {
  /** Groups by each reading of the names that they begin with, lower case. */
  groups: ReadonlyMap<string, readonly NamedGroup[]>
  /** The file is longer than what is read of it, so later rules are not known. */
  is_truncated: boolean
}

/** RFC 9309 2.5: at least 500 KiB are read, and Google documents that it reads no more. */
export const MAX_ROBOTS_BYTES = 500 * 1024

/**
 * Reads at most 500 KiB, and of a longer file no line that is cut there; every file can be parsed, a page of HTML into
 * no groups.
 */
export function parseRobots(bytes: Uint8Array): RobotsFile {
  const is_truncated = bytes.length > MAX_ROBOTS_BYTES
  const groups = new Map<string, NamedGroup[]>()
  let group: RobotsGroup | null = null
  let isHeading = false
  const all: RobotsGroup[] = []
  for (const record of readRobotsRecords(octetsToRead(bytes))) {
    if (record.key === 'user-agent') {
      if (group === null || !isHeading) {
        group = { rules: [], wild_rules: [], plain_rules: new Map(), plain_lengths: [], others: [] }
        all.push(group)
      }
      isHeading = true
      addName(groups, record.value, group)
    } else if (group === null) continue
    else if (record.key === 'allow' || record.key === 'disallow') {
      isHeading = false
      addRule(group, record)
    } else group.others.push(record)
  }
  for (const each of all) orderRules(each)
  return { groups, is_truncated }
}

function octetsToRead(bytes: Uint8Array): string {
  const read = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_ROBOTS_BYTES)).toString('latin1')
  const octets = read.startsWith('\xef\xbb\xbf') ? read.slice(3) : read
  if (bytes.length <= MAX_ROBOTS_BYTES) return octets
  return octets.slice(0, Math.max(octets.lastIndexOf('\n'), octets.lastIndexOf('\r')) + 1)
}

/** An empty rule restricts nothing, and one that begins with neither `/` nor `*` can match no path. */
function addRule(group: RobotsGroup, { key, value, line }: RobotsRecord): void {
  if (!value.startsWith('/') && !value.startsWith('*')) return
  group.rules.push({ is_allowed: key === 'allow', pattern: compilePattern(value), text: decodeOctets(value), line })
}

function addName(groups: Map<string, NamedGroup[]>, value: string, group: RobotsGroup): void {
  const name = decodeOctets(value)
  for (const key of readingsOf(value)) {
    const named = groups.get(key)
    if (named === undefined) groups.set(key, [{ name, group }])
    else if (named.at(-1)?.group !== group) named.push({ name, group })
  }
}

/**
 * A product token has letters, `_` and `-` only; what follows it is ignored, as Google documents (`GPTBot/1.2` names
 * GPTBot). Tokens in use hold digits and blanks as well (AI2Bot), so the longer readings count too.
 */
function readingsOf(value: string): ReadonlySet<string> {
  if (/^\*(?![^ \t])/.test(value)) return STAR
  const name = value.slice(0, MAX_NAME_LENGTH).toLowerCase()
  const readings = [/^[a-z_-]+/, /^[a-z0-9_-]+/].flatMap((reading) => reading.exec(name) ?? [])
  return new Set([name, ...readings])
}

const STAR: ReadonlySet<string> = new Set(['*'])
const MAX_NAME_LENGTH = 200

function orderRules(group: RobotsGroup): void {
  group.rules.sort(inOrderOfDecision)
  for (const rule of group.rules) {
    const { parts, is_anchored } = rule.pattern
    const [text = ''] = parts
    if (is_anchored || parts.length > 1) group.wild_rules.push(rule)
    else if (!group.plain_rules.has(text)) {
      group.plain_rules.set(text, rule)
      if (group.plain_lengths.at(-1) !== text.length) group.plain_lengths.push(text.length)
    }
  }
}

/** The longest pattern first, `Allow` before `Disallow`; the first rule that matches decides (RFC 9309 2.2.2). */
export function inOrderOfDecision(a: RobotsRule, b: RobotsRule): number {
  return b.pattern.length - a.pattern.length || Number(b.is_allowed) - Number(a.is_allowed) || a.line - b.line
}

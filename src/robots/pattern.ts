/** Patterns of rules: `*` stands for any octets, `$` at the end for the end of the target (RFC 9309 2.2.3). */
import { normalisePattern } from './octets.ts'
import type { RobotsTarget } from './target.ts'

export interface RobotsPattern {
  /** Octets after encoding, `*` and `$` included: the longest matching pattern decides (RFC 9309 2.2.2). */
  length: number
  /** What stands between the stars; the first part stands at the beginning of the target. */
  parts: readonly string[]
  is_anchored: boolean
  /** A target with fewer octets cannot match. */
  min_length: number
}

/** A pattern of a rule in the form that is matched (RFC 9309 2.2.2). */
export function compilePattern(octets: string): RobotsPattern {
  const normal = normalisePattern(octets)
  const is_anchored = normal.endsWith('$')
  const parts = (is_anchored ? normal.slice(0, -1) : normal).split(/\*+/)
  return { length: normal.length, parts, is_anchored, min_length: parts.reduce((sum, part) => sum + part.length, 0) }
}

/** The leftmost place of each part leaves the most room for the next, so that nothing is ever tried twice. */
export function matchesPattern({ parts, is_anchored, min_length }: RobotsPattern, target: RobotsTarget): boolean {
  const { octets } = target
  if (octets.length < min_length) return false
  const first = parts[0] as string
  if (!octets.startsWith(first)) return false
  if (parts.length === 1) return !is_anchored || octets.length === first.length
  const end = is_anchored ? parts.length - 1 : parts.length
  if (is_anchored && !octets.endsWith(parts[end] as string)) return false
  let at = first.length
  for (let index = 1; index < end; index++) {
    const part = parts[index] as string
    const found = target.find(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return !is_anchored || octets.length - at >= (parts[end] as string).length
}

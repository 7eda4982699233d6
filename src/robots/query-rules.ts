/** Rules with `?` and paths whose query is not known (rules 8.4). */

import type { RobotsDecision } from './engine.ts'
import { octetsOf } from './octets.ts'
import type { RobotsFile, RobotsRule } from './parse.ts'
import { compilePattern, matchesPattern } from './pattern.ts'
import type { RobotsTarget } from './target.ts'
import type { RobotsCrawler } from './vendor-reading.ts'

/** Whether a rule with `?` would decide otherwise if the request had a query that it matches. */
export function needsQuery(
  file: RobotsFile,
  { token }: RobotsCrawler,
  { decision, rule, deviation }: RobotsDecision,
  target: RobotsTarget,
): boolean {
  if (token === null || decision === 'unknown') return false
  const followed = deviation?.startsWith('group_of:') ? deviation.slice('group_of:'.length) : token
  const named = file.groups.get(followed.toLowerCase()) ?? file.groups.get('*') ?? []
  const isAllowed = decision === 'allowed'
  const deciding = rule === null ? null : compilePattern(octetsOf(rule))
  // Of equally long rules the allowing one decides. One that ends with `$` does not match with a query.
  const isForPathAlone = deciding?.is_anchored === true && deciding.parts.at(-1) !== ''
  const least = deciding === null || isForPathAlone ? 0 : deciding.length + Number(isAllowed)
  return named.some(({ group }) =>
    group.rules.some(
      (other) => other.is_allowed !== isAllowed && other.pattern.length >= least && mayMatchWithQuery(other, target),
    ),
  )
}

function mayMatchWithQuery({ text }: RobotsRule, target: RobotsTarget): boolean {
  const query = text.indexOf('?')
  return query !== -1 && matchesPattern(compilePattern(octetsOf(`${text.slice(0, query)}$`)), target)
}

/** What the rules of a robots.txt say of a crawler and a target (RFC 9309 2.2.1, 2.2.2). */

import { inOrderOfDecision, type NamedGroup, type RobotsFile, type RobotsGroup, type RobotsRule } from './parse.ts'
import { matchesPattern } from './pattern.ts'
import type { RobotsTarget } from './target.ts'

export interface RulesDecision {
  decision: 'allowed' | 'disallowed'
  /**
   * Name of the deciding group as written, `*` included; without a deciding rule the first that applies; null when none
   * does.
   */
  group: string | null
  /** The deciding rule as written; null when none matches. */
  rule: string | null
  /** Line of the rule, from 1. */
  line: number | null
}

/** Decides one target for many crawlers: a group is matched once, however many crawlers it names. */
export interface RulesDecider {
  /** Whether a group names the token. */
  names(token: string): boolean
  decide(token: string): RulesDecision
}

/** Decides one target by the groups of a file. */
export function rulesDecider(file: RobotsFile, target: RobotsTarget): RulesDecider {
  const rules = new Map<RobotsGroup, RobotsRule | null>()
  const decisions = new Map<readonly NamedGroup[], RulesDecision>()
  const decidingRule = (group: RobotsGroup): RobotsRule | null => {
    const known = rules.get(group)
    if (known !== undefined) return known
    const found = findDecidingRule(group, target)
    rules.set(group, found)
    return found
  }
  const decideGroups = (named: readonly NamedGroup[]): RulesDecision => {
    const group = named[0]?.name ?? null
    // RFC 9309 2.2.2: the file itself is always allowed.
    if (target.octets === '/robots.txt') return { decision: 'allowed', group, rule: null, line: null }
    let deciding: { name: string; rule: RobotsRule } | null = null
    for (const { name, group: each } of named) {
      const rule = decidingRule(each)
      if (rule !== null && (deciding === null || comesFirst(rule, deciding.rule))) deciding = { name, rule }
    }
    if (deciding === null) return { decision: 'allowed', group, rule: null, line: null }
    const { name, rule } = deciding
    return { decision: rule.is_allowed ? 'allowed' : 'disallowed', group: name, rule: rule.text, line: rule.line }
  }
  return {
    names: (token) => file.groups.has(token.toLowerCase()),
    decide(token) {
      const named = file.groups.get(token.toLowerCase()) ?? file.groups.get('*') ?? NO_GROUPS
      const decision = decisions.get(named) ?? decideGroups(named)
      decisions.set(named, decision)
      return decision
    },
  }
}

const NO_GROUPS: readonly NamedGroup[] = []
const comesFirst = (rule: RobotsRule, other: RobotsRule) => inOrderOfDecision(rule, other) < 0

/** Rules without `*` are looked up by the beginnings of the target, so that only the others are tried one by one. */
function findDecidingRule(
  { plain_lengths, plain_rules, wild_rules }: RobotsGroup,
  target: RobotsTarget,
): RobotsRule | null {
  const { octets } = target
  let plain: RobotsRule | null = null
  for (let index = 0; plain === null && index < plain_lengths.length; index++) {
    const length = plain_lengths[index] as number
    if (length <= octets.length) plain = plain_rules.get(octets.slice(0, length)) ?? null
  }
  for (const rule of wild_rules) {
    if (plain !== null && comesFirst(plain, rule)) return plain
    if (matchesPattern(rule.pattern, target)) return rule
  }
  return plain
}

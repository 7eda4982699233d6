/** Which refused events are missing from which answer (rules 6, refused events are missing evidence). */

import { DAY, type Instant, type Matcher } from '../history.ts'
import type { RefusedGroup } from './days.ts'
import type { Definitions } from './definitions.ts'

/** Refused pageviews and anything with a revoked key are missing from every answer. */
export const missedByAll = ({ group }: RefusedGroup): boolean => group === ':pageview' || group === ':key'

interface InForce {
  from: Instant
  to: Instant | null
}

/**
 * Refused events of a matcher's name are missing from what it counts while it is in force. The rest are events of names
 * that were not in force: they may have had the matcher's name unless that was in force from the first of them until
 * the revision or the day ended.
 */
export const missedBy =
  (revision: InForce, matchers: readonly Matcher[], definitions: Definitions) =>
  (refused: RefusedGroup): boolean => {
    const { day, group, first_at } = refused
    if (missedByAll(refused)) return true
    if (!isInForceOn(revision, day)) return false
    const names = matchers.flatMap((matcher) => (matcher.kind === 'event' ? [matcher.event_name] : []))
    const to = Math.min(Date.parse(day) + DAY, revision.to ?? Infinity)
    const mayBe = (name: string) => first_at < to && !definitions.isNamed(name, { from: first_at, to })
    return group === ':other' ? names.some(mayBe) : names.includes(group)
  }

/** Whether a revision is in force for a part of a day. */
export const isInForceOn = ({ from, to }: InForce, day: string) =>
  Date.parse(day) + DAY > from && (to === null || Date.parse(day) < to)

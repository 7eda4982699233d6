/** Which refused events are missing from which answer (rules 6, refused events are missing evidence). */

import { DAY, type Instant, type Matcher } from '../history.ts'
import type { RefusedGroup } from './days.ts'

/** Refused pageviews and anything with a revoked key are missing from every answer. */
export const missedByAll = ({ group }: RefusedGroup): boolean => group === ':pageview' || group === ':key'

/**
 * Refused events of a matcher's name are missing from what it counts while it is in force; of other names, where it was
 * defined after them.
 */
export const missedBy =
  (revision: { from: Instant; to: Instant | null; made_at: Instant }, matchers: readonly Matcher[]) =>
  (refused: RefusedGroup): boolean => {
    const { day, group, first_at } = refused
    if (missedByAll(refused)) return true
    const names = matchers.flatMap((matcher) => (matcher.kind === 'event' ? [matcher.event_name] : []))
    const is_other = group === ':other' && names.length > 0 && revision.made_at > first_at
    return isInForceOn(revision, day) && (names.includes(group) || is_other)
  }

/** Whether a revision is in force for a part of a day. */
export const isInForceOn = ({ from, to }: { from: Instant; to: Instant | null }, day: string) =>
  Date.parse(day) + DAY > from && (to === null || Date.parse(day) < to)

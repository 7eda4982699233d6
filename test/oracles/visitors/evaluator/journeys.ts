/** Ways through the site that several closed sessions took (rules 6, Journeys; decisions 5). */
import { Ranked } from '../compare.ts'
import type { Ask, History, Instant } from '../history.ts'
import { missedByAll } from './missed.ts'
import { ratio } from './overview.ts'
import type { Page } from './pages-and-origins.ts'
import { envelope, read } from './reading.ts'
import type { Rules } from './rules.ts'
import type { Session } from './sessions.ts'

const LONGEST = 10

export function journeys(history: History, as_of: Instant, ask: Ask, rules: Rules): unknown {
  const reading = read(history, as_of, ask, rules, missedByAll)
  const is_known = reading.proven.size > 0
  const closed = rules.journeys_of_open_sessions
    ? reading.sessions
    : reading.sessions.filter(({ is_closed }) => is_closed)
  const sequences = new Map<string, { pages: Page[]; continued: boolean; sessions: number }>()
  for (const session of closed) {
    const way = wayOf(session, rules)
    if (way.pages.length === 0) continue
    const key = JSON.stringify(way)
    const sequence = sequences.get(key) ?? { ...way, sessions: 0 }
    sequence.sessions++
    sequences.set(key, sequence)
  }
  const all = [...sequences.values()].sort((a, b) => b.sessions - a.sessions)
  const shown = all.filter(({ sessions }) => sessions >= rules.journey_threshold)
  const rare = all.filter(({ sessions }) => sessions < rules.journey_threshold)
  const limit = ask.limit ?? 100
  const grouped = rare.reduce((sum, { sessions }) => sum + sessions, 0)
  const counts = {
    limit,
    returned_count: Math.min(limit, shown.length),
    total_count: is_known ? shown.length : null,
    truncated: shown.length > limit,
  }
  return {
    meta: { ...envelope(reading, 'analytics-journeys/v1'), pagination: counts },
    share_denominator: 'closed_sessions',
    closed_sessions: is_known ? closed.length : null,
    grouping_threshold: 5,
    ...counts,
    journeys: new Ranked(
      [
        ...shown.slice(0, limit).map((sequence) => ({
          kind: 'sequence',
          ...sequence,
          share: ratio(sequence.sessions, closed.length),
        })),
        // Present even at 0.
        {
          kind: 'grouped',
          sessions: is_known ? grouped : null,
          share: is_known ? ratio(grouped, closed.length) : null,
        },
      ],
      ({ kind, sessions }: { kind: string; sessions: number }) => [kind, sessions],
    ),
  }
}

/** Consecutive repeats are one page; cut at ten. */
function wayOf({ pageviews }: Session, rules: Rules): { pages: Page[]; continued: boolean } {
  const pages = pageviews.flatMap(({ page }) => page ?? [])
  const folded = rules.journeys_fold_repeats
    ? pages.filter((page, at) => at === 0 || JSON.stringify(pages[at - 1]) !== JSON.stringify(page))
    : pages
  return { pages: folded.slice(0, LONGEST), continued: folded.length > LONGEST }
}

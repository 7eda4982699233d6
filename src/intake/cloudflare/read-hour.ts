/** One hour of a zone, read in as few stretches as the provider's page limit allows (decisions 3.7). */
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import { CloudflareFailure } from './failure.ts'
import type { Group } from './groups.ts'

export interface HourRead {
  /** Start of the hour, epoch milliseconds. */
  hour: number
  /** A group that was split over two stretches occurs twice. */
  groups: Group[]
  /** The lowest share of requests that any group was sampled at; null: every request was looked at. */
  sampling: number | null
  /** Even the shortest stretch held more groups than an answer may: some are missing. */
  is_capped: boolean
}

const SHORTEST_MS = MINUTE_MS

/** `ask` answers the groups of [from, to); `page` of them or more are a capped answer: the stretch is halved until it fits. */
export async function readHour(
  ask: (from: number, to: number) => Promise<Group[]>,
  hour: number,
  { max_page_size, max_duration_ms }: { max_page_size: number; max_duration_ms: number },
): Promise<HourRead> {
  const read: HourRead = { hour, groups: [], sampling: null, is_capped: false }
  const longest = Math.max(SHORTEST_MS, wholeMinutes(max_duration_ms))
  const left: { from: number; to: number }[] = [{ from: hour, to: hour + HOUR_MS }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { from, to } = next
    const groups = to - from > longest ? null : await askOrSplit(ask, from, to)
    if ((groups === null || groups.length >= max_page_size) && to - from > SHORTEST_MS) {
      const middle = from + wholeMinutes((to - from) / 2)
      left.push({ from: middle, to }, { from, to: middle })
      continue
    }
    if (groups === null) throw new CloudflareFailure('too_much', 'Even one minute is too much for one answer.')
    if (groups.length >= max_page_size) read.is_capped = true
    read.groups.push(...groups)
  }
  return { ...read, sampling: lowestSampling(read.groups) }
}

/** Null: the provider finds the stretch too large. */
async function askOrSplit(
  ask: (from: number, to: number) => Promise<Group[]>,
  from: number,
  to: number,
): Promise<Group[] | null> {
  try {
    return await ask(from, to)
  } catch (error) {
    if (error instanceof CloudflareFailure && error.fault === 'too_much') return null
    throw error
  }
}

/** Of people too: a crawler that is missing in a sample proves nothing (registry notes 6.2). */
function lowestSampling(groups: readonly Group[]): number | null {
  const longest = groups.reduce((most, { avg }) => Math.max(most, avg.sampleInterval), 1)
  return longest > 1 ? 1 / longest : null
}

function wholeMinutes(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS
}

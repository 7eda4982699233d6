/** Reads an hour of a zone in as few slices as the provider's page limit allows (decisions 3.7). */
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import { CloudflareFailure } from './failure.ts'
import { samplingOf } from './hour-sampling.ts'
import type { Group } from './request-groups.ts'

/** The answer for one slice of time, without human groups. */
export interface TimeSlice {
  /** The number of groups, including human ones. */
  rows: number
  /** The longest sampling interval of a group; 1: no sampling. */
  max_interval: number
  automated: Group[]
}

export interface HourRead {
  /** Start of the hour, epoch milliseconds. */
  hour: number
  /** Automated groups; a group in two slices occurs twice. */
  groups: Group[]
  /** The lowest sampling of a group; null: no sampling. */
  sampling: number | null
  /** Even the shortest slice had as many groups as an answer may have, so that some are missing. */
  is_capped: boolean
}

type Ask = (from: number, to: number) => Promise<TimeSlice>

const MIN_SLICE_MS = MINUTE_MS

/** `ask` reads [from, to). Answers with `max_page_size` rows are capped, so that the slice is halved until it fits. */
export async function readHour(
  ask: Ask,
  hour: number,
  { max_page_size, max_duration_ms }: { max_page_size: number; max_duration_ms: number },
): Promise<HourRead> {
  const read: HourRead = { hour, groups: [], sampling: null, is_capped: false }
  let max_interval = 1
  const longest = Math.max(MIN_SLICE_MS, wholeMinutes(max_duration_ms))
  const left: { from: number; to: number }[] = [{ from: hour, to: hour + HOUR_MS }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { from, to } = next
    const slice = to - from > longest ? null : await askOrSplit(ask, from, to)
    if ((slice === null || slice.rows >= max_page_size) && to - from > MIN_SLICE_MS) {
      const middle = from + wholeMinutes((to - from) / 2)
      left.push({ from: middle, to }, { from, to: middle })
      continue
    }
    if (slice === null) throw new CloudflareFailure('too_much', 'Even one minute is too much for one answer.')
    if (slice.rows >= max_page_size) read.is_capped = true
    max_interval = Math.max(max_interval, slice.max_interval)
    for (const group of slice.automated) read.groups.push(group)
  }
  return { ...read, sampling: samplingOf(max_interval) }
}

/** Null: the provider refuses the slice as too large. */
async function askOrSplit(ask: Ask, from: number, to: number): Promise<TimeSlice | null> {
  try {
    return await ask(from, to)
  } catch (error) {
    if (error instanceof CloudflareFailure && error.fault === 'too_much') return null
    throw error
  }
}

function wholeMinutes(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS
}

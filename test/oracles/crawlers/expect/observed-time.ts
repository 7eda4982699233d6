/** Which minutes were covered, minute by minute: slow on purpose. */
import type { Minute } from '../events.ts'
import { DAY, dayOf } from '../time.ts'

/** What is known of one minute; several may hold. */
export const WHOLE = 1
export const PART = 2
/** A line or record shows it. */
export const OBSERVED = 4
/** The owner declared it. */
export const DECLARED = 8

export interface ObservedTime {
  /** By day, one byte a minute. */
  days: Map<number, Uint8Array>
  /** Days on which anything was covered at all, be it an instant. */
  touched: Set<number>
}

export const noObservedTime = (): ObservedTime => ({ days: new Map(), touched: new Set() })

/** Marks the minutes of [from, to). A range without length touches its day all the same. */
export function mark(time: ObservedTime, from: Minute, to: Minute, what: number): void {
  time.touched.add(dayOf(from))
  for (let at = from; at < to; at++) {
    const day = dayOf(at)
    time.touched.add(day)
    let minutes = time.days.get(day)
    if (minutes === undefined) {
      minutes = new Uint8Array(DAY)
      time.days.set(day, minutes)
    }
    minutes[at - day * DAY] = (minutes[at - day * DAY] ?? 0) | what
  }
}

export const known = (time: ObservedTime | undefined, at: Minute): number => {
  const day = dayOf(at)
  return time?.days.get(day)?.[at - day * DAY] ?? 0
}

/** A person who uploads a server's logs, a file for some days at a time. */
import type { HumanVisits, Minute, Upload, Visit } from './events.ts'
import { START, type Story, visitAt, visits } from './story.ts'
import { DAY, dayName, dayOf, HOUR, startOf } from './time.ts'

export interface Uploader {
  server: string
  host: string | null
  every: number
  /** Its logs do not hold everything, and their days are often only declared. */
  is_careless: boolean
  /** The next file begins here. */
  next: Minute
}

export function uploader({ chance }: Story, server: string, host: string | null = null): Uploader {
  return {
    server,
    host,
    every: chance.one([5, 10, 20, 30]),
    is_careless: false,
    next: START + chance.whole(0, 3) * DAY,
  }
}

/** The next days' log; nothing when there is none yet. */
export function upload(story: Story, by: Uploader): void {
  const { chance, now, events } = story
  const from = by.next + (chance.happens(0.2) ? chance.one([7, 10 * by.every - 5, 10 * by.every + 5, 25 * HOUR]) : 0)
  // Of days that are long over, and not of all.
  if (by.is_careless && dayOf(now) < dayOf(from) + 3) return
  const days = startOf(dayOf(from) + (by.is_careless ? 1 : chance.whole(1, 4))) - 1
  const to = Math.min(days, now - chance.whole(1, 90))
  if (to - from < 4 * by.every) return
  const overlaps = chance.happens(0.15) && from - 6 * HOUR > START
  const file = fileOf(story, by, overlaps ? from - 6 * HOUR : from, to)
  events.push(file)
  if (chance.happens(0.15)) events.push({ ...file, covers: null })
  by.next = to + 1 + (by.is_careless ? DAY : 0)
}

function fileOf(story: Story, by: Uploader, from: Minute, to: Minute): Upload {
  const { chance } = story
  const humans = withHole(story, by, from, to)
  const is_filtered = chance.happens(0.1)
  const lines = humans.reduce((sum, one) => sum + Math.floor((one.to - one.from) / one.every) + 1, 0)
  const seen: Visit[] = is_filtered
    ? humans.flatMap((one) => regular(one).map((at) => visitAt(story, at, false)))
    : humans.flatMap((one) => visits(story, one.from, lastOf(one), false))
  const yesterday = dayOf(story.now) - 1
  const covers_to = Math.min(yesterday, dayOf(to) + chance.whole(0, 2))
  const covers = chance.happens(by.is_careless ? 0.7 : 0.2) && covers_to >= dayOf(from)
  const is_partial = by.is_careless || chance.happens(0.1)
  // Just at one hundredth of the lines, or over it.
  const unreadable = chance.happens(0.15) ? Math.floor((lines + seen.length) / 99) + chance.one([0, 1]) : 0
  const too_many = Math.floor((lines + seen.length) / 99) + 1
  return {
    do: 'upload',
    server: by.server,
    host: by.host,
    // A log that is declared complete for some days cannot also be declared incomplete.
    is_partial: is_partial && !covers,
    humans: is_filtered ? [] : humans,
    visits: seen.map((visit) => ({ ...visit, host: by.host ?? visit.host })),
    // A careless one's days are partial all the same.
    unreadable: by.is_careless && covers ? too_many : unreadable,
    covers: covers ? { from: dayName(dayOf(from)), to: dayName(covers_to) } : null,
  }
}

/**
 * At most one silence that is unlike the others, and only in a file so long that it is not among the percentile's:
 * which definition of a percentile is meant, and whether the minutes of its lines belong to a silence, the
 * specification does not say.
 */
function withHole({ chance }: Story, { every }: Uploader, from: Minute, to: Minute): HumanVisits[] {
  const limit = Math.max(HOUR, 10 * every)
  const silences = Math.floor((to - from) / every)
  const length = chance.one([50, limit - 5, limit + 5, 20 * HOUR, 26 * HOUR])
  const whole = { from, to, every }
  if (silences < 150 || !chance.happens(0.5)) return [whole]
  const before = from + chance.whole(60, 90) * every
  if (before + length + 60 * every > to) return [whole]
  return [
    { ...whole, to: before },
    { ...whole, from: before + length },
  ]
}

const lastOf = ({ from, to, every }: HumanVisits) => from + Math.floor((to - from) / every) * every

function regular(humans: HumanVisits): Minute[] {
  const minutes: Minute[] = []
  for (let at = humans.from; at <= humans.to; at += humans.every) minutes.push(at)
  return minutes
}

/** A program that delivers what a server logs: mostly on time, sometimes late, twice, in part or not at all. */
import type { Batch, Heartbeat, HumanVisits, Minute, Visit } from './events.ts'
import { START, type Story, visits } from './story.ts'
import { DAY, HOUR } from './time.ts'

export interface Sender {
  source: string
  name: string | null
  /** Minutes from one human's visit to the next. */
  every: number
  /** The last instant that it has delivered. */
  through: Minute
  /** It proves quiet times by heartbeats, for all hosts or for one. */
  beats: 'never' | 'all' | string
  holes: HumanVisits[]
  /** How likely a delivery leaves time out. */
  loses: number
  /** Delivered requests that have names, some of which come again. */
  sent: Visit[]
}

export function sender(story: Story, source: string, name: string | null, beats: Sender['beats'] = 'never'): Sender {
  const { chance, now } = story
  const through = Math.max(START, now - chance.whole(10, 2 * DAY))
  return { source, name, every: chance.one([5, 10, 15]), through, beats, holes: [], loses: 0.2, sent: [] }
}

/** Delivers up to a few minutes ago. */
export function deliver(story: Story, from: Sender): void {
  const { chance, now } = story
  if (from.holes.length > 0 && chance.happens(0.15)) {
    fillHole(story, from)
    return
  }
  if (chance.happens(from.loses)) loseTime(story, from)
  const to = now - chance.whole(1, 20)
  if (from.beats === 'never') deliverRecords(story, from, to)
  else beat(story, from, to)
}

function deliverRecords(story: Story, from: Sender, to: Minute): void {
  const { chance } = story
  const first = from.through + chance.whole(1, from.every)
  if (first >= to) return
  const humans = { from: first, to, every: from.every }
  from.through = first + Math.floor((to - first) / from.every) * from.every
  const middle = first + Math.floor((to - first) / (2 * from.every)) * from.every
  const is_split = chance.happens(0.3) && middle > first
  const pieces = is_split
    ? [
        { ...humans, to: middle },
        { ...humans, from: middle + from.every },
      ]
    : [humans]
  for (const piece of pieces.filter((piece) => piece.from <= piece.to)) {
    send(story, from, [piece], visits(story, piece.from, Math.min(piece.to, from.through), true), [])
  }
}

/** From the last proof on, so that no silence is left between two of them. */
function beat(story: Story, from: Sender, to: Minute): void {
  const host = from.beats === 'all' ? null : from.beats
  if (from.through >= to) return
  send(story, from, [], host === null ? visits(story, from.through, to, true) : [], [{ from: from.through, to, host }])
  from.through = to
}

/**
 * A silence that is not covered. What a heartbeat makes normal for its sender is left open: such a sender is silent for
 * longer than any silence may be normal.
 */
function loseTime({ chance, now }: Story, from: Sender): void {
  const short = from.beats === 'never' ? [chance.whole(16, 50), chance.whole(60, 5 * HOUR)] : []
  const length = chance.one([...short, chance.whole(7 * HOUR, 12 * HOUR), chance.whole(26 * HOUR, 50 * HOUR)])
  if (from.through + length >= now - 30) return
  if (from.beats === 'never') from.holes.push({ from: from.through + 1, to: from.through + length, every: from.every })
  from.through += length
}

/** What was held back comes after all. */
function fillHole(story: Story, from: Sender): void {
  const hole = from.holes.pop()
  if (hole !== undefined) send(story, from, [hole], visits(story, hole.from, hole.to, true), [])
}

function send(story: Story, from: Sender, humans: HumanVisits[], visits: Visit[], heartbeats: Heartbeat[]): void {
  const { chance, events } = story
  const again = from.sent.filter(() => chance.happens(0.2))
  from.sent = visits.filter(({ id }) => id !== undefined)
  const seen = { humans, visits: [...visits, ...again], unreadable: chance.happens(0.1) ? chance.one([1, 8]) : 0 }
  if (chance.happens(0.08)) {
    const why = chance.one(['truncated', 'no_json', 'no_token'] as const)
    events.push({ do: 'refused', source: from.source, why, seen: { ...seen, visits: [...visits] } })
  }
  const batch: Batch = {
    ...seen,
    do: 'batch',
    source: from.source,
    sender: from.name,
    heartbeats,
    is_repeated: chance.happens(0.15),
  }
  events.push(batch)
}

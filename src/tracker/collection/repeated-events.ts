/** Leaves out repeats: events with an id that was received in the same stream in the last 72 hours (rules 6). */
import Type from 'typebox'
import { HOUR_MS } from '#clock.ts'
import { utcDay } from '#days/utc-day.ts'
import type { JoinedBytes } from '#evidence/rows/joined-bytes.ts'
import { count, day, instant, list, rows, uint } from '#evidence/sql.ts'
import type { CollectorContext } from './context.ts'
import { keyOfRow, receivedMsOfRow, seqOfRow } from './event-row.ts'
import type { IdHashes, RecentEventIds } from './recent-ids.ts'
import { linesOf, noteEvents, type SegmentRows, type StreamEvents } from './spool-segment.ts'

/** How long after its first receipt an id identifies the same event. */
const SAME_EVENT_MS = 72 * HOUR_MS
const IDS_AT_ONCE = 5_000
const LINE_END = 10
/** The most ids that one statement reads to fill the filter: 8 MiB of text. */
const FILLED_AT_ONCE = 500_000

export interface IdContext extends Pick<CollectorContext, 'evidence'> {
  ids: RecentEventIds
  /** Joins the lines of one segment at a time. */
  joined: JoinedBytes
}

/** The content of a segment without repeats. */
export interface NewEvents {
  /** One buffer, valid until the next segment, if no line was left out. */
  lines: Buffer | string[]
  found: StreamEvents
  repeated: StreamEvents
}

/** Leaves out the repeats of a segment of a UTC day; after a crash, the same ones again. @throws EvidenceError. */
export async function leaveOutRepeats(ctx: IdContext, date: string, segment: SegmentRows): Promise<NewEvents> {
  const lines = ctx.joined.join(segment.payloads)
  const unchanged: NewEvents = { lines, found: segment.found, repeated: new Map() }
  const received = receiptsOf(segment.found)
  if (received === null) return unchanged
  if (!ctx.ids.isReady(received.last_at)) await fill(ctx, received)
  ctx.ids.forgetBefore(received.first_at - SAME_EVENT_MS)
  const seen = placesSeen(ctx.ids, segment.ids, received.last_at)
  if (seen.length === 0) return unchanged
  const repeats = await findRepeats(ctx, date, linesAt(lines, seen))
  if (repeats.size === 0) return unchanged
  const all = linesOf(lines)
  const found: StreamEvents = new Map()
  const repeated: StreamEvents = new Map()
  for (const [place, line] of all.entries()) {
    const { site_id, stream } = keyOfRow(line)
    noteEvents(repeats.has(place) ? repeated : found, { site_id, stream, events: 1, at: receivedMsOfRow(line) })
  }
  return { lines: all.filter((_, place) => !repeats.has(place)), found, repeated }
}

/** When the events of a segment were received, epoch milliseconds. After an outage they span hours. */
interface Receipts {
  first_at: number
  last_at: number
}

/** Null for a segment without events. */
function receiptsOf(found: StreamEvents): Receipts | null {
  const all = [...found.values()]
  if (all.length === 0) return null
  return {
    first_at: Math.min(...all.map(({ first_at }) => first_at)),
    last_at: Math.max(...all.map(({ last_at }) => last_at)),
  }
}

/** The ascending indexes of ids that the filter may know, and of earlier ids in the segment that may equal them. */
function placesSeen(filter: RecentEventIds, ids: IdHashes, at: number): number[] {
  const low_halves = new Set<number>()
  for (let place = 0; place < ids.length; place++) {
    const id = ids.at(place)
    if (filter.testAndAdd(id, at)) low_halves.add(id[1])
  }
  const places: number[] = []
  if (low_halves.size === 0) return places
  for (let place = 0; place < ids.length; place++) if (low_halves.has(ids.at(place)[1])) places.push(place)
  return places
}

/** The lines at these ascending positions. The other lines, which are most of them, are not decoded. */
function linesAt(lines: Buffer, places: readonly number[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  let start = 0
  let line = 0
  for (const place of places) {
    for (; line < place; line++) start = lines.indexOf(LINE_END, start) + 1
    found.set(place, lines.toString('utf8', start, lines.indexOf(LINE_END, start)))
  }
  return found
}

/** The positions of those lines whose id is stored or occurs earlier in the segment. */
async function findRepeats(
  ctx: IdContext,
  date: string,
  lines: ReadonlyMap<number, string>,
): Promise<ReadonlySet<number>> {
  const known = await findStored(ctx, date, [...lines.values()])
  const repeats = new Set<number>()
  const earlier = new Set<string>()
  for (const [place, line] of lines) {
    const name = nameOf(line)
    if (earlier.has(name) || isRepeat(line, known.get(name) ?? [])) repeats.add(place)
    else earlier.add(name)
  }
  return repeats
}

interface StoredId {
  seq: string
  at: number
}

/** TRICKY: a line whose own order number is stored was stored before a crash, so it is not a repeat of itself. */
function isRepeat(line: string, stored: readonly StoredId[]): boolean {
  const seq = seqOfRow(line).toString()
  if (stored.some((row) => row.seq === seq)) return false
  const at = receivedMsOfRow(line)
  return stored.some((row) => at - row.at < SAME_EVENT_MS)
}

function nameOf(line: string): string {
  const { site_id, stream, id } = keyOfRow(line)
  return `${site_id} ${stream} ${id}`
}

const Stored = Type.Object({
  of_site: Type.String(),
  of_stream: Type.String(),
  of_id: Type.String(),
  of_seq: Type.String(),
  at: count(),
})

async function findStored(
  { evidence }: IdContext,
  date: string,
  lines: readonly string[],
): Promise<Map<string, StoredId[]>> {
  const known = new Map<string, StoredId[]>()
  const own = lines.map(keyOfRow)
  const oldest = utcDay(Date.parse(date) - SAME_EVENT_MS)
  for (let at = 0; at < own.length; at += IDS_AT_ONCE) {
    const asked = own.slice(at, at + IDS_AT_ONCE)
    const sites = [...new Set(asked.map(({ site_id }) => site_id))]
    const ids = [...new Set(asked.map(({ id }) => id))]
    // One statement for all sites: each statement costs milliseconds, whatever it reads.
    for (const { of_site, of_stream, of_id, of_seq, at: received_at } of await evidence.all(
      storedIds(sites, oldest, ids),
      { is_urgent: true },
    )) {
      const name = `${of_site} ${of_stream} ${of_id}`
      const rows = known.get(name) ?? []
      rows.push({ seq: of_seq, at: received_at })
      known.set(name, rows)
    }
  }
  return known
}

const storedIds = (site_ids: readonly string[], oldest: string, ids: readonly string[]) => rows(Stored)`
  SELECT toString(site_id) AS of_site, toString(stream) AS of_stream, toString(id) AS of_id, toString(seq) AS of_seq,
    toUInt64(toUnixTimestamp64Milli(received_at)) AS at
  FROM spoor.events
  WHERE site_id IN ${list('UUID', site_ids)} AND day >= ${day(oldest)} AND id IN ${list('UInt128', ids)}`

/** Adds every stored id of the 72 hours before these receipts to the filter. */
async function fill({ evidence, ids }: IdContext, { first_at, last_at }: Receipts): Promise<void> {
  const since = first_at - SAME_EVENT_MS
  ids.begin(last_at)
  const days = await evidence.all(daysSince(utcDay(since)))
  for (const { date, events } of days) {
    const parts = Math.ceil(events / FILLED_AT_ONCE)
    for (let part = 0; part < parts; part++) {
      for (const { hour, packed } of await evidence.all(idsOfDay(date, since, part, parts))) {
        // Ids from a clock that was ahead are kept only as long as those of events that are received now.
        const kept_at = Math.min(hour * HOUR_MS, last_at)
        const bytes = Buffer.from(packed, 'hex')
        for (let place = 0; place < bytes.length; place += 8)
          ids.add([bytes.readUInt32BE(place), bytes.readUInt32BE(place + 4)], kept_at)
      }
    }
  }
  ids.end()
}

const daysSince = (oldest: string) => rows(Type.Object({ date: Type.String(), events: count() }))`
  SELECT toString(day) AS date, count() AS events FROM spoor.events WHERE day >= ${day(oldest)} GROUP BY day ORDER BY day`

const idsOfDay = (date: string, since: number, part: number, parts: number) => rows(
  Type.Object({ hour: count(), packed: Type.String() }),
)`
  SELECT toUInt64(intDiv(toUnixTimestamp(received_at), 3600)) AS hour,
    arrayStringConcat(groupArray(leftPad(hex(toUInt64(id)), 16, '0'))) AS packed
  FROM spoor.events
  WHERE day = ${day(date)} AND received_at > ${instant(since)} AND toUInt64(id) % ${uint(parts)} = ${uint(part)}
  GROUP BY hour`

/** The content of one spool file, from the memory of the process that wrote it or from the disk. */
import { readFile } from 'node:fs/promises'
import { dayStart } from '#days/utc-day.ts'
import { PageMemory, type PageName } from '#evidence/page-names.ts'
import { pathClass } from '#paths/path-class.ts'
import { parseReceivedAt, type Stream } from './event-row.ts'
import { type IdHash, IdHashes, idHashOf } from './recent-ids.ts'
import { decodeFrames } from './spool-file.ts'

/** The events of one request, ready to be written. */
export interface SpoolRecord {
  site_id: string
  day: string
  /** When the request was received, epoch milliseconds. */
  at: number
  stream: Stream
  lines: string
  count: number
  /** The id of each line. */
  ids: readonly IdHash[]
  pages: PageName[]
}

/** One file of accepted events of one UTC day. */
export interface Segment {
  file: string
  day: string
  bytes: number
  rows: number
  /** When its oldest event was received, or earlier, epoch milliseconds. */
  oldest_at: number
  /** Null if it must be read from the disk. */
  memory: SegmentRows | null
}

export interface SegmentRows {
  payloads: Buffer[]
  /** The id of each row, in order. */
  ids: IdHashes
  pages: Set<PageName>
  found: StreamEvents
  /** The damage that was found when the file was read. */
  lost: { frames: number; rows: number }
  torn_bytes: number
}

/** The number of events of one site and stream, and when they were received. */
export interface FoundEvents {
  site_id: string
  stream: Stream
  events: number
  first_at: number
  last_at: number
}

/** By site and stream. */
export type StreamEvents = Map<string, FoundEvents>

/** The name of a file: its number, which orders files, and its day. */
const NAME = /^(\d{16})\.(\d{4}-\d{2}-\d{2})\.spool$/

export const segmentName = (number: number, day: string) => `${String(number).padStart(16, '0')}.${day}.spool`

const KEPT_ASIDE = 'damaged-'

/** The name under which a damaged segment is kept. */
export const nameKeptAside = (name: string) => `${KEPT_ASIDE}${name}`

/** The number of a segment, which is never reused, not even that of a damaged one. Null for other files. */
export function numberOf(name: string): number | null {
  return parseSegmentName(name.startsWith(KEPT_ASIDE) ? name.slice(KEPT_ASIDE.length) : name)?.number ?? null
}

/** Null for a file that is not a segment. */
export function parseSegmentName(name: string): { number: number; day: string } | null {
  const [, number, day] = NAME.exec(name) ?? []
  return number === undefined || day === undefined ? null : { number: Number(number), day }
}

function newRows(): SegmentRows {
  return {
    payloads: [],
    ids: new IdHashes(),
    pages: new Set(),
    found: new Map(),
    lost: { frames: 0, rows: 0 },
    torn_bytes: 0,
  }
}

/** A segment that this process writes. */
export function newSegment(file: string, day: string): Segment {
  return { file, day, bytes: 0, rows: 0, oldest_at: Number.POSITIVE_INFINITY, memory: newRows() }
}

/** Adds records that were written as one payload. */
export function noteRecords(
  segment: Segment,
  payload: Buffer,
  records: readonly SpoolRecord[],
  written_bytes: number,
): void {
  segment.bytes += written_bytes
  for (const { count } of records) segment.rows += count
  const { memory } = segment
  if (memory === null) return
  memory.payloads.push(payload)
  for (const { site_id, stream, at, count, ids, pages } of records) {
    segment.oldest_at = Math.min(segment.oldest_at, at)
    noteEvents(memory.found, { site_id, stream, events: count, at })
    for (const id of ids) memory.ids.push(id)
    for (const page of pages) memory.pages.add(page)
  }
}

/** Adds events that were received at one instant. */
export function noteEvents(
  found: StreamEvents,
  { site_id, stream, events, at }: { site_id: string; stream: Stream; events: number; at: number },
): void {
  const key = `${site_id} ${stream}`
  const known = found.get(key)
  if (known === undefined) {
    found.set(key, { site_id, stream, events, first_at: at, last_at: at })
    return
  }
  known.events += events
  known.first_at = Math.min(known.first_at, at)
  known.last_at = Math.max(known.last_at, at)
}

/** The positions of the columns of a stored line that are read. */
const COLUMN = { site: 0, stream: 2, id: 3, received_at: 4, host: 10, path: 11, fidelity: 12 } as const

/** The rows of a segment, from memory if it still has them. */
export async function readSegment(segment: Segment): Promise<SegmentRows> {
  if (segment.memory !== null) return segment.memory
  const file = await readFile(segment.file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  // Another program removed the file: its events were acknowledged, and are lost.
  if (file === null) return { ...newRows(), lost: { frames: 1, rows: segment.rows } }
  const { payloads, torn_bytes, lost_frames, lost_rows } = decodeFrames(file)
  const rows: SegmentRows = { ...newRows(), payloads, torn_bytes, lost: { frames: lost_frames, rows: lost_rows } }
  const names = new PageMemory()
  for (const payload of payloads) {
    for (const line of linesOf(payload)) {
      const columns = JSON.parse(line) as unknown[]
      const text = (column: keyof typeof COLUMN) => String(columns[COLUMN[column]])
      const at = parseReceivedAt(text('received_at'))
      noteEvents(rows.found, { site_id: text('site'), stream: text('stream') as Stream, events: 1, at })
      rows.ids.push(idHashOf(text('id')))
      if (text('host') === '') continue
      const place = `${JSON.stringify(text('host'))},${JSON.stringify(text('path'))},"${text('fidelity')}"`
      rows.pages.add(names.of(text('site'), `${place},"${pathClass(text('path'))}"`))
    }
  }
  return rows
}

/** The lines of a payload, without line ends. */
export function linesOf(payload: Buffer): string[] {
  return payload.toString('utf8').split('\n').slice(0, -1)
}

/** A segment that another process left; only its name and size are known. */
export function leftSegment(file: string, day: string, bytes: number): Segment {
  return { file, day, bytes, rows: 0, oldest_at: dayStart(day), memory: null }
}

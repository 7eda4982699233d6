/** An event that was received yesterday and is sent again after midnight is not a new one. */
import Type from 'typebox'
import { DAY_MS, dayStart, HOUR_MS, instantText, utcDay } from '#clock.ts'
import { day, list, rows, uuid } from '#evidence/sql.ts'
import type { CollectorContext } from './context.ts'
import { keyOfRow } from './row.ts'
import { linesOf } from './segment.ts'

/** Retries come within this after midnight; the key of an event holds its day, and would not know them (decisions 0018). */
const RETRIES_END_MS = 2 * HOUR_MS
const IDS_AT_ONCE = 5_000

/** Lines of a day without those whose id the day before has in the same stream. A buffer comes back as it is after the first two hours. */
export async function dropYesterdays(
  { evidence }: Pick<CollectorContext, 'evidence'>,
  date: string,
  lines: Buffer | string[],
): Promise<Buffer | string[]> {
  const early = earlyLines(date, lines)
  if (early.length === 0) return lines
  const yesterday = utcDay(dayStart(date) - DAY_MS)
  const known = new Set<string>()
  for (const [site_id, own] of Map.groupBy(early, (line) => keyOfRow(line).site_id)) {
    const ids = [...new Set(own.map((line) => keyOfRow(line).id))]
    for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
      const found = await evidence.all(storedIds(site_id, yesterday, ids.slice(at, at + IDS_AT_ONCE)))
      for (const { of_stream, of_id } of found) known.add(`${site_id} ${of_stream} ${of_id}`)
    }
  }
  if (known.size === 0) return lines
  const all = Buffer.isBuffer(lines) ? linesOf(lines) : lines
  const repeated = new Set(early.filter((line) => known.has(nameOf(line))))
  return all.filter((line) => !repeated.has(line))
}

function earlyLines(date: string, lines: Buffer | string[]): string[] {
  const until = instantText(dayStart(date) + RETRIES_END_MS)
    .slice(0, -1)
    .replace('T', ' ')
  if (Buffer.isBuffer(lines) && (lines.length === 0 || receivedAt(firstLine(lines)) >= until)) return []
  return (Buffer.isBuffer(lines) ? linesOf(lines) : lines).filter((line) => receivedAt(line) < until)
}

const firstLine = (lines: Buffer) => lines.toString('utf8', 0, lines.indexOf(10))
const receivedAt = (line: string) => line.split('"', 10)[9] as string

function nameOf(line: string): string {
  const { site_id, stream, id } = keyOfRow(line)
  return `${site_id} ${stream} ${id}`
}

const Stored = Type.Object({ of_stream: Type.String(), of_id: Type.String() })

const storedIds = (site_id: string, date: string, ids: readonly string[]) => rows(Stored)`
  SELECT toString(stream) AS of_stream, toString(id) AS of_id
  FROM spoor.events
  WHERE site_id = ${uuid(site_id)} AND day = ${day(date)} AND id IN ${list('UInt128', ids)}
  GROUP BY of_stream, of_id`

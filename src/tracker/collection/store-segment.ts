/**
 * Stores the events of a spool file in the evidence store, in an order that is safe after a crash: (1) page names, (2)
 * control store: dirty days, (3) evidence store: events, (4) control store: counts, and the times of each site's first
 * and last event. Each step may be repeated (rules 3, 6).
 */
import { appendFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readSetting, writeSetting } from '#control/settings.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import { utcDay } from '#days/utc-day.ts'
import { markDays } from '#derived/dirty-days.ts'
import { isRowError } from '#evidence/errors.ts'
import { storePages } from '#evidence/page-names.ts'
import type { JoinedBytes } from '#evidence/rows/joined-bytes.ts'
import { eraseAgain } from '#sites/erase-removed.ts'
import { addCount, countedAs, repeatedAs, tableOf } from './collection-counts.ts'
import type { CollectorContext } from './context.ts'
import { keyOfRow, type RowKey, seqOfRow } from './event-row.ts'
import type { RecentEventIds } from './recent-ids.ts'
import { leaveOutRepeats, type NewEvents } from './repeated-events.ts'
import { makeFolder } from './spool-folder.ts'
import {
  type FoundEvents,
  linesOf,
  readSegment,
  type Segment,
  type SegmentRows,
  type StreamEvents,
} from './spool-segment.ts'

export interface StoreContext extends Pick<CollectorContext, 'clock' | 'control' | 'evidence' | 'log' | 'onCounted'> {
  ids: RecentEventIds
  /** A buffer for the lines of a segment; segments are stored one after the other. */
  joined: JoinedBytes
  /** Names the spool if several nodes have one; null for a single service. */
  origin: string | null
  /** Called in the transaction before events are written. @throws NodeFenced: they must not be written. */
  checkEpoch?: (db: ControlDb) => Promise<void>
  /** Called in the transaction that counts events. @throws NodeFenced: another node has taken over the spool. */
  checkSpool?: (db: ControlDb) => Promise<void>
}

/** The damage of a segment. */
export interface SegmentDamage {
  frames: number
  rows: number
}

/** Stores all events of a segment; idempotent. @throws EvidenceError and control store errors: try again later. */
export async function storeSegment(ctx: StoreContext, segment: Segment): Promise<SegmentDamage | null> {
  const rows = await readSegment(segment)
  const sites = await existingSites(ctx, [...sitesOf(rows.found)])
  const { day } = segment
  let kept: NewEvents = { lines: [], found: new Map(), repeated: new Map() }
  await ctx.evidence.writeLock.run(async () => {
    await storePages(
      ctx.evidence,
      [...rows.pages].filter((page) => sites.has(page.site_id)),
    )
    kept = await leaveOutRepeats(ctx, day, rows)
    const seen = [...evidenceOf(kept.found.values()).keys()]
    await ctx.control.transaction(async (tx) => {
      await ctx.checkEpoch?.(tx)
      await markDirty(tx, day, seen, ctx.clock.now())
    })
    await insertLines(ctx, segment, ofSites(kept, sites))
  })
  const receipts = evidenceOf(kept.found.values())
  const repeats = evidenceOf(kept.repeated.values())
  await ctx.control.transaction(async (tx) => {
    await ctx.checkSpool?.(tx)
    const now = ctx.clock.now()
    await countOnce(tx, ctx.origin, day, rows, kept)
    // Another node may have derived the closed day before its events were stored.
    if (ctx.origin !== null && day < utcDay(now)) await markDirty(tx, day, [...receipts.keys()], now)
    for (const site_id of sites) await noteReceipts(tx, site_id, receipts.get(site_id), repeats.get(site_id))
  })
  observeCounts(ctx, kept)
  const { lost, torn_bytes } = rows
  if (torn_bytes > 0) ctx.log.info({ bytes: torn_bytes }, 'a spool file ended in a write that was never acknowledged')
  return lost.frames === 0 ? null : lost
}

/** Single lines, or one buffer if no line must be left out. */
type Lines = Buffer | string[]

const sitesOf = (found: StreamEvents): ReadonlySet<string> => new Set([...found.values()].map(({ site_id }) => site_id))

function ofSites({ lines, found }: NewEvents, sites: ReadonlySet<string>): Lines {
  if ([...sitesOf(found)].every((site_id) => sites.has(site_id))) return lines
  const all = Buffer.isBuffer(lines) ? linesOf(lines) : lines
  return all.filter((line) => sites.has(keyOfRow(line).site_id))
}

async function existingSites({ control }: StoreContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const found = await control.db.selectFrom('sites').select('id').where('id', 'in', ids).execute()
  return new Set(found.map(({ id }) => id))
}

type Received = { first_at: number; last_at: number }

/** When events of visitors and servers were received, by site. Events of bots and development are not evidence. */
function evidenceOf(found: Iterable<FoundEvents>): ReadonlyMap<string, Received> {
  const received = new Map<string, Received>()
  for (const { site_id, stream, first_at, last_at } of found) {
    if (stream === 'bot' || stream === 'development') continue
    const known = received.get(site_id) ?? { first_at, last_at }
    received.set(site_id, {
      first_at: Math.min(known.first_at, first_at),
      last_at: Math.max(known.last_at, last_at),
    })
  }
  return received
}

/** The setting that names the last counted segment of a spool; after a crash, only that one can be repeated. */
export const countedSetting = (origin: string | null) =>
  origin === null ? 'counted_events' : `counted_events ${origin}`

/** Counts a segment's events and records its name in one transaction, so that each segment is counted exactly once. */
async function countOnce(
  tx: ControlTransaction,
  origin: string | null,
  day: string,
  { payloads: [first] }: SegmentRows,
  { found, repeated }: NewEvents,
): Promise<void> {
  if (first === undefined) return
  // Order numbers are unique; the name of a file is reused when its folder was empty.
  const name = `${day} ${seqOfRow(firstLine(first))}`
  const setting = countedSetting(origin)
  if ((await readSetting(tx, setting)) === name) return
  await writeSetting(tx, setting, name)
  const add = async (events: Iterable<FoundEvents>, as: typeof countedAs) => {
    for (const { site_id, stream, events: number, last_at } of events) {
      await addCount(tx, tableOf(stream), { site_id, day, ...as(stream), events: number, last_at })
    }
  }
  await add(found.values(), countedAs)
  await add(repeated.values(), repeatedAs)
}

function observeCounts({ onCounted }: StoreContext, { found, repeated }: NewEvents): void {
  if (onCounted === undefined) return
  const count = (events: Iterable<FoundEvents>, as: typeof countedAs) => {
    for (const { stream, events: number } of events)
      if (stream !== 'development') onCounted({ ...as(stream), events: number })
  }
  count(found.values(), countedAs)
  count(repeated.values(), repeatedAs)
}

const firstLine = (payload: Buffer): string => payload.toString('utf8', 0, payload.indexOf(10))

async function markDirty(tx: ControlTransaction, day: string, sites: readonly string[], now: number): Promise<void> {
  if (sites.length === 0) return
  const known = await tx.selectFrom('sites').select('id as site_id').where('id', 'in', sites).execute()
  const days = known.map(({ site_id }) => ({ site_id, day }))
  await markDays(tx, { kind: 'sessions', cause: 'events', state: 'written', now }, days)
}

/**
 * Records a site's first and last event. If the site was removed meanwhile, erases the events that were written for it.
 * Repeats count only if no first event is recorded: another node may have stored it without recording it.
 */
async function noteReceipts(
  tx: ControlTransaction,
  site_id: string,
  found: Received | undefined,
  repeated: Received | undefined,
): Promise<void> {
  const tracker = await tx.selectFrom('trackers').selectAll().where('site_id', '=', site_id).executeTakeFirst()
  if (tracker === undefined) {
    await eraseAgain(tx, site_id)
    return
  }
  const received = found ?? (tracker.first_event_at === null ? repeated : undefined)
  if (received === undefined) return
  const { first_at, last_at } = received
  const first_event_at = tracker.first_event_at === null ? first_at : Math.min(tracker.first_event_at, first_at)
  const last_event_at = tracker.last_event_at === null ? last_at : Math.max(tracker.last_event_at, last_at)
  await tx.updateTable('trackers').set({ first_event_at, last_event_at }).where('site_id', '=', site_id).execute()
}

/** A line that the engine refuses must not block the others: it is found by bisection, and written to a file. */
async function insertLines(ctx: StoreContext, segment: Segment, lines: Lines): Promise<void> {
  const count = Buffer.isBuffer(lines) ? countLines(lines) : lines.length
  if (count === 0) return
  const bytes = Buffer.isBuffer(lines) ? lines : Buffer.from(lines.map((line) => `${line}\n`).join(''))
  try {
    await ctx.evidence.insert('events', bytes, count)
  } catch (error) {
    if (!isRowError(error)) throw error
    const each = Buffer.isBuffer(lines) ? linesOf(lines) : lines
    if (count > 1) {
      await insertLines(ctx, segment, each.slice(0, count >> 1))
      await insertLines(ctx, segment, each.slice(count >> 1))
      return
    }
    ctx.log.error({ err: error }, 'an accepted event cannot be stored; it is moved to spool/refused.jsonl')
    await countNotStored(ctx, keyOfRow(each[0] as string), segment.day)
    await makeFolder(dirname(segment.file))
    await appendFile(join(dirname(segment.file), 'refused.jsonl'), bytes, { mode: 0o600 })
  }
}

/** Counts an acknowledged event that cannot be stored, so that its day is incomplete. */
async function countNotStored(
  { control, clock, onCounted }: StoreContext,
  { site_id, stream }: RowKey,
  day: string,
): Promise<void> {
  await control.transaction((tx) =>
    addCount(tx, tableOf(stream), {
      site_id,
      day,
      outcome: 'refused',
      reason: 'not_stored',
      events: 1,
      last_at: clock.now(),
    }),
  )
  if (stream !== 'development') onCounted?.({ outcome: 'refused', reason: 'not_stored', events: 1 })
}

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++
  return lines
}

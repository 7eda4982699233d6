/** Days to derive again. They are marked before facts are written, released afterwards, and cleared by a build. */
import { type RawBuilder, sql } from 'kysely'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import type { DerivedKind, DirtyDayRow } from '#control/tables.ts'
import type { DayRange } from '#days/windows.ts'

/** A mark. A later mark of the same cause has a higher number. */
export type DayMark = Pick<DirtyDayRow, 'cause' | 'state' | 'marked'>

export interface MarkedDay {
  site_id: string
  day: string
  marks: readonly DayMark[]
}

/** What a set of marks has in common. */
export interface Mark {
  kind: DerivedKind
  cause: string
  state: DirtyDayRow['state']
  /** The service's now, epoch milliseconds. */
  now: number
}

const ROWS_AT_ONCE = 500
/** SQLite limits the number of members of a condition. */
const MARKS_AT_ONCE = 200

/** Marks days, each once. A repeated mark gets a higher number: that of the clock, or the old one plus one. */
export function markDays(
  tx: ControlTransaction,
  mark: Mark,
  days: readonly { site_id: string; day: string }[],
): Promise<void> {
  return writeMarks(tx, mark, days, { state: mark.state, marked: laterMark(mark.now) })
}

/**
 * Call it after facts of a cause are stored: with `writing` while more facts follow, with `written` at the end, so that
 * the days may be derived. If nodes share the stores, another node may have concluded that this process is dead and
 * released its marks, and a build without all facts may have cleared them. Such days are marked again.
 */
export function confirmMarks(
  tx: ControlTransaction,
  mark: Mark,
  days: readonly { site_id: string; day: string }[],
): Promise<void> {
  const { state, now } = mark
  // No build has cleared a mark that is still being written.
  const marked = sql<number>`CASE dirty_days.state WHEN 'writing' THEN dirty_days.marked ELSE ${laterMark(now)} END`
  const onRepeat = state === 'written' ? { state, marked } : { state: sql<'writing'>`dirty_days.state`, marked }
  return writeMarks(tx, { ...mark, state: 'written' }, days, onRepeat)
}

const laterMark = (now: number) =>
  sql<number>`CASE WHEN dirty_days.marked < ${now} THEN ${now} ELSE dirty_days.marked + 1 END`

interface RepeatedMark {
  state: DirtyDayRow['state'] | RawBuilder<DirtyDayRow['state']>
  marked: RawBuilder<number>
}

async function writeMarks(
  tx: ControlTransaction,
  { kind, cause, state, now }: Mark,
  days: readonly { site_id: string; day: string }[],
  onRepeat: RepeatedMark,
): Promise<void> {
  const distinct = [...new Map(days.map((row) => [`${row.site_id} ${row.day}`, row])).values()]
  for (let at = 0; at < distinct.length; at += ROWS_AT_ONCE) {
    const rows = distinct
      .slice(at, at + ROWS_AT_ONCE)
      .map(({ site_id, day }) => ({ site_id, day, kind, cause, state, marked: now }))
    await tx
      .insertInto('dirty_days')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['site_id', 'day', 'kind', 'cause']).doUpdateSet(onRepeat))
      .execute()
  }
}

/** Releases the days of a cause: no more facts follow, so they may be derived. */
export async function releaseDays(tx: ControlTransaction, cause: string): Promise<void> {
  await tx.updateTable('dirty_days').set({ state: 'written' }).where('cause', '=', cause).execute()
}

/** Marks of a kind, optionally of a site and of a range of days; newest days first. */
export function findMarks(
  db: ControlDb,
  kind: DerivedKind,
  site_id?: string,
  range?: DayRange,
): Promise<DirtyDayRow[]> {
  let marks = db.selectFrom('dirty_days').selectAll().where('kind', '=', kind)
  if (site_id !== undefined) marks = marks.where('site_id', '=', site_id)
  if (range !== undefined) marks = marks.where('day', '>=', range.from).where('day', '<=', range.to)
  return marks.orderBy('day', 'desc').orderBy('site_id').execute()
}

/** Marked days with their marks, in the order of the marks. */
export function daysOfMarks(rows: readonly DirtyDayRow[]): MarkedDay[] {
  const days = Map.groupBy(rows, (row) => `${row.day} ${row.site_id}`).values()
  return [...days].map((marks) => {
    const [{ site_id, day }] = marks as [DirtyDayRow]
    return { site_id, day, marks }
  })
}

/**
 * Days of a range that are read from facts (`dirty_days`), and days whose builds an older version made
 * (`outdated_days`); both ascending.
 */
export async function findDirtyDays(
  db: ControlDb,
  kind: DerivedKind,
  site_id: string,
  range: DayRange,
): Promise<{ dirty_days: string[]; outdated_days: string[]; marks: DirtyDayRow[] }> {
  const marks = await findMarks(db, kind, site_id, range)
  const daysOf = (rows: typeof marks) => [...new Set(rows.map(({ day }) => day))].sort()
  const dirty_days = daysOf(marks.filter(({ marked }) => marked > 0))
  const outdated_days = daysOf(marks.filter(({ marked }) => marked === 0)).filter((day) => !dirty_days.includes(day))
  return { dirty_days, outdated_days, marks }
}

/**
 * Deletes marks that a build has read. A mark that was repeated since, or is being written, keeps its day dirty.
 */
export async function clearMarks(
  tx: ControlTransaction,
  kind: DerivedKind,
  { site_id, day }: { site_id: string; day: string },
  seen: readonly DayMark[],
): Promise<void> {
  const written = seen.filter(({ state }) => state === 'written')
  for (let at = 0; at < written.length; at += MARKS_AT_ONCE) {
    await tx
      .deleteFrom('dirty_days')
      .where((is) => is.and({ site_id, day, kind }))
      .where(({ or, and, eb }) =>
        or(
          written
            .slice(at, at + MARKS_AT_ONCE)
            .map(({ cause, marked }) => and([eb('cause', '=', cause), eb('marked', '=', marked)])),
        ),
      )
      .execute()
  }
}

/** Whether a day has a mark. It has none if its site or its evidence was removed. */
export async function isDirty(
  tx: ControlTransaction,
  kind: DerivedKind,
  { site_id, day }: { site_id: string; day: string },
): Promise<boolean> {
  const mark = await tx
    .selectFrom('dirty_days')
    .select('cause')
    .where((is) => is.and({ site_id, day, kind }))
    .limit(1)
    .executeTakeFirst()
  return mark !== undefined
}

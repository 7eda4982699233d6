/** How a statement holds the events of a session: as named tuples, or packed into numbers for speed. */
import { type Fragment, sql } from '#evidence/sql.ts'

/** Events in this layout are in the order of receipt once they are sorted. */
export interface EventLayout {
  /** What is read of a row of spoor.events, as named columns. */
  columns: Fragment
  /** One event out of these columns. */
  event: Fragment
  /** When an event was received, epoch milliseconds. */
  receivedMs(event: Fragment): Fragment
}

/** Events as tuples of received_at, seq and these columns; `members` are names, `types` names with engine types. */
export const eventTuples = (columns: Fragment, members: Fragment, types: Fragment): EventLayout => ({
  columns: sql`received_at, seq, ${columns}`,
  event: sql`(received_at, seq, ${members})::Tuple(received_at DateTime64(3, 'UTC'), seq UInt64, ${types})`,
  receivedMs: (event) => sql`toUnixTimestamp64Milli(${event}.received_at)`,
})

/**
 * Events as numbers of 128 bits, which the engine gathers and sorts in a third of the time that tuples take. From the
 * highest bit down: the millisecond of receipt, 20 bits of `seq`, whether it is a pageview, whether it is `marked`, and
 * 64 bits of what it carries.
 */
export const packedEvents = (carried: Fragment, marked: Fragment = sql`0`): EventLayout => ({
  columns: sql`received_at, seq, kind = 'pageview' AS is_pageview, ${marked} AS is_marked, ${carried} AS carried`,
  event: sql`
      bitShiftLeft(toUInt128(toUnixTimestamp64Milli(received_at)), 86) + bitShiftLeft(toUInt128(seq % 1048576), 66)
      + bitShiftLeft(toUInt128(is_pageview), 65) + bitShiftLeft(toUInt128(is_marked), 64) + toUInt64(carried)
    `,
  receivedMs: packedMs,
})

/** When a packed event was received, epoch milliseconds. */
export function packedMs(event: Fragment): Fragment {
  return sql`toUInt64(bitShiftRight(${event}, 86))`
}

/** Whether a packed event is a pageview. */
export const isPageview = (event: Fragment): Fragment => sql`toUInt8(bitShiftRight(${event}, 65)) % 2 = 1`

/** Whether a packed event is marked. */
export const isMarked = (event: Fragment): Fragment => sql`toUInt8(bitShiftRight(${event}, 64)) % 2 = 1`

/** What a packed event carries. */
export const carriedBy = (event: Fragment): Fragment => sql`toUInt64(${event})`

/** The result of reading the plain lines of a block of whole lines; other lines are read later, in order. */
import type { FileAgent } from './file-agents.ts'
import type { RowBlock } from './row-columns.ts'

/** Plain lines of one host. */
export interface HostLines {
  host: string
  /** The host that the lines name; null: they name none. */
  named: string | null
  is_own: boolean
  /** Lines that are not kept: human ones, and all of a host outside the site. */
  others: number
  /** Part of `others`: lines whose user agent is empty. */
  without_agent: number
  kept: number
  /** Some response was observed. */
  has_statuses: boolean
}

export interface BlockLines {
  /** All lines, plain and other. */
  lines: number
  /** First and last instant of a plain line, epoch milliseconds. */
  from: number
  to: number
  /** Epoch minutes of plain lines; may repeat. */
  minutes: Int32Array<ArrayBuffer>
  /** Some plain line has a user agent that is not empty. */
  has_agents: boolean
  hosts: HostLines[]
  /** Index of the last plain line, -1 without one, and whether fields follow its agent. */
  last_plain: number
  last_has_tail: boolean
  /** The other lines, two numbers for each: its index, and its offset in the block. */
  rest: Int32Array<ArrayBuffer>
  /** The kept lines; line numbers count from 1 at the beginning of the block. */
  rows: RowBlock | null
  /** Agents of the kept lines, each with its days (since 1970). */
  agents: { agent: FileAgent; days: number[] }[]
  /** Three numbers for each kept line, for `DoubleLog`. */
  prints: Int32Array<ArrayBuffer>
}

/** The memory of a result, to transfer it to another thread. */
export function memoryOf({ minutes, rest, rows, prints }: BlockLines): ArrayBuffer[] {
  const columns = rows === null ? [] : [rows.head.buffer, rows.line_numbers.buffer]
  return [minutes.buffer, rest.buffer, prints.buffer, ...columns]
}

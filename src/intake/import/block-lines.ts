/** The result of reading the plain lines of a block of whole lines; other lines are read later, in order. */
import type { FileAgent } from './file-agents.ts'
import type { RowBlock } from './row-columns.ts'

/** Plain lines of one host. */
export interface HostLines {
  host: string
  /** The host that the lines name; null: they name none. */
  named: string | null
  is_own: boolean
  /** Lines that are not stored: human ones, and all of a host outside the site. */
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
  /** Index of the last plain line (-1: none), and whether fields follow its agent. */
  last_plain: number
  last_has_tail: boolean
  /** The lines that are not plain, two numbers for each: its index, and its offset in the block. */
  other_lines: Int32Array<ArrayBuffer>
  /** The lines to store; line numbers count from 1 at the beginning of the block. */
  rows: RowBlock | null
  /** Agents of the lines to store, each with its days (since 1970). */
  agents: { agent: FileAgent; days: number[] }[]
  /** Three numbers for each line to store, for `DoubleLog`. */
  line_hashes: Int32Array<ArrayBuffer>
}

/** The memory of a result, to transfer it to another thread. */
export function memoryOf({ minutes, other_lines, rows, line_hashes }: BlockLines): ArrayBuffer[] {
  const columns = rows === null ? [] : [rows.head.buffer, rows.line_numbers.buffer]
  return [minutes.buffer, other_lines.buffer, line_hashes.buffer, ...columns]
}

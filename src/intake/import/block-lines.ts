/** The plain combined lines of a block of whole lines; all other lines are read later, in their order. */
import type { FileAgent } from './file-agents.ts'
import type { RowBlock } from './row-columns.ts'

/** Plain lines of one host. */
export interface HostLines {
  host: string
  /** The host as the lines name it; null where they name none. */
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
  /** The rest, two numbers a line: its index, and its offset in the block. */
  rest: Int32Array<ArrayBuffer>
  /** The kept lines; a line's number counts from the block's beginning, its first line being 1. */
  rows: RowBlock | null
  /** Agents of the kept lines, and the days (since 1970) that they came on. */
  agents: { agent: FileAgent; days: number[] }[]
  /** Three numbers a kept line, for the log's doubles: see DoubleLog. */
  prints: Int32Array<ArrayBuffer>
}

/** The memory of a block's findings, for handing it to another thread. */
export function memoryOf({ minutes, rest, rows, prints }: BlockLines): ArrayBuffer[] {
  const columns = rows === null ? [] : [rows.head.buffer, rows.line_numbers.buffer]
  return [minutes.buffer, rest.buffer, prints.buffer, ...columns]
}

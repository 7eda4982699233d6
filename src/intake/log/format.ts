/** What a log format is to the reader: one file each, listed in read-line.ts, chosen anew for every line. */
import type { LogRecord, MalformedCode } from './record.ts'
import type { LocalZone } from './time.ts'

export interface LineFormat {
  name: string
  /** Whether this format claims the line. The first that does reads it, for better or worse. */
  reads(line: string): boolean
  /** Fills every field of the record from a binary line without its line end, or says why it cannot. */
  read(line: string, into: LogRecord, zone: LocalZone): MalformedCode | null
}

/** Sets the request, client and tail to parts of `source`; what a format does not know stays an empty range. */
export function beginRecord(into: LogRecord, source: string, at: number): void {
  into.at = at
  into.source = source
  into.host = null
  into.client_start = 0
  into.client_end = 0
  into.tail_start = 0
  into.tail_end = 0
  into.cut_off = false
}
